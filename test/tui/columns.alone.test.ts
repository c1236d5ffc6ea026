import { describe, expect, test, vi } from "vitest";
import { picture, text } from "./picture.ts";
import { issue, screen } from "./support.ts";

// Node reads the variable once, before any other code here does.
vi.stubEnv("TZ", "Europe/Berlin");

/** The screen is drawn on a Saturday, 2026-11-21 at 11:00 in Berlin. */
const due = (deadline_on: string, more: object = {}) =>
  issue(1, { metadata: { deadline_on, ...more } });

const header = (session: ReturnType<typeof screen>): readonly string[] =>
  (picture(session)[2] ?? "").trim().split(/ +/);

describe("the due column", () => {
  test.each([
    ["2026-11-18", "-3d"],
    ["2026-11-20", "-1d"],
    ["2026-11-21", "today"],
    ["2026-11-21T10:59", "late"],
    ["2026-11-21T11:01", "today"],
    ["2026-11-22", "sun"],
    ["2026-11-27", "fri"],
    ["2026-11-28", "11-28"],
    ["2027-01-02", "2027"],
  ])("shows %s as %s", (day, shown) => {
    const [, , , row = ""] = picture(screen(99, 24, [due(day)]));
    expect(row).toMatch(new RegExp(` ${shown} +23h$`));
  });

  test("counts days in the zone of the issue, and is empty for closed issues and unreadable dates", () => {
    const shown = (one: ReturnType<typeof issue>) => {
      const session = screen(99, 24, [one, { ...due("2026-11-28"), uid: issue(2).uid }]);
      session.tell({ type: "chosen", place: { is: "query", query: "status:all" }, spot: "query" });
      return picture(session)
        .find((line) => line.includes("Issue number 1 ") && !line.includes("11-28"))
        ?.trimEnd();
    };
    // In Berlin it is still the 21st.
    expect(shown(due("2026-11-21", { timezone: "Pacific/Kiritimati" }))).toMatch(/ -1d +23h$/);
    expect(shown(due("someday"))).toMatch(/number 1 +23h$/);
    expect(shown({ ...due("2026-11-21"), status: "closed" })).toMatch(/number 1 +23h$/);
  });

  test("is shown only if an issue has a deadline, and in a narrow list only if the list is ordered by it", () => {
    expect(header(screen(99, 24, [issue(1)]))).not.toContain("DUE");
    expect(header(screen(99, 24, [due("2026-11-22")]))).toContain("DUE");
    const session = screen(80, 24, [due("2026-11-22")]);
    expect(header(session)).toEqual(["ID", "S", "PR", "TITLE", "LABELS", "OWNER", "AGE"]);
    session.keys(":").type("order due").keys("enter");
    expect(header(session)).toEqual(["ID", "S", "PR", "TITLE", "OWNER", "DUE", "AGE"]);
  });
});

describe("the columns of the board", () => {
  test("are shown and hidden one by one, are saved, and can be reset", () => {
    const session = screen(99, 24).keys("|");
    expect(text(session)).toContain("age  shown");
    session.keys("down", "down", "enter");
    expect(session.effects).toContainEqual({
      effect: "save-columns",
      columns: "priority age labels due",
    });
    expect(header(session)).toEqual(["ID", "S", "PR", "TITLE", "LABELS", "DUE", "AGE"]);
    // The list stays open on the column that was hidden.
    expect(header(session.keys("enter"))).toContain("OWNER");
    // Space does the same as long as no name is typed.
    expect(header(session.keys("space"))).not.toContain("OWNER");
    expect(header(session.keys("space"))).toContain("OWNER");
    expect(header(session.keys("a", "space", "backspace", "backspace"))).toContain("OWNER");
    session.keys("esc", "|").type("author").keys("enter", "esc");
    expect(header(session)).toContain("AUTHOR");
    session.keys("|", "up", "up");
    while (!text(session).includes("> as usual")) session.keys("down");
    session.keys("enter", "esc");
    expect(session.state.preferences.listColumns).toBeUndefined();
    expect(header(session)).not.toContain("AUTHOR");
  });

  test("include a column created, with the time since an issue was created", () => {
    const session = screen(99, 24, [issue(1)])
      .keys("|")
      .type("created")
      .keys("enter", "esc");
    expect(picture(session)[3]).toMatch(/ 20d +23h$/);
  });
});

describe("quick entry with Q", () => {
  const quick = (line: string) =>
    screen(80, 24, [issue(1)])
      .keys("Q")
      .type(line)
      .keys("enter");

  test.each([
    ["Fix it", { title: "Fix it", labels: [], owner: undefined, priority: undefined }],
    ["Fix it +bug p:1 +ui", { title: "Fix it", labels: ["bug", "ui"], priority: 1 }],
    [
      "Call due:fri owner:bo",
      { title: "Call", owner: "bo", metadata: { deadline_on: "2026-11-27" } },
    ],
    ["Call on:+3d", { title: "Call", metadata: { scheduled_on: "2026-11-24" } }],
    ["Add \\+bug to C++ at 10:30, see a:b", { title: "Add +bug to C++ at 10:30, see a:b" }],
    ["+1 for this", { title: "+1 for this", labels: [] }],
  ])("turns the line %j into the issue %j", (line, expected) => {
    expect(quick(line).writes).toMatchObject([{ act: "create", ...expected }]);
  });

  test.each([
    ["+bug", "the title is empty"],
    ["Fix p:7", "p:7: a priority is 0 to 4"],
    ["Fix due:whenever", "due:whenever: say tomorrow, fri, +3d or 2026-09-01"],
  ])("quick entry with %j creates nothing, says why, and keeps the line", (line, why) => {
    const session = quick(line);
    expect(session.writes).toEqual([]);
    expect(text(session)).toContain(why);
    expect(session.state.dialog).toMatchObject({ dialog: "prompt", field: { text: line } });
  });

  test("can be opened as a form and sent again if the daemon refuses the line", () => {
    const session = quick("Fix it +bug due:fri");
    const id = session.state.writes.sent[0]?.id ?? 0;
    session.tell({ type: "refused", id, code: "validation", text: "no" });
    session.keys("e");
    expect(session.state.dialog).toMatchObject({ dialog: "form", kind: { form: "new" } });
    expect(session.keys("ctrl+s").writes).toMatchObject([
      { act: "create", title: "Fix it", labels: ["bug"], metadata: { deadline_on: "2026-11-27" } },
    ]);
  });
});

describe("copying with Y", () => {
  const one = issue(1, { title: "Fix the  Thing: now!", body: "line 1\nline 2" });

  test.each([
    ["id", "product#k001"],
    ["title", "Fix the  Thing: now!"],
    ["both", "product#k001 Fix the  Thing: now!"],
    ["command", "svc show product#k001"],
    ["branch", "k001-fix-the-thing-now"],
    ["text", "line 1\nline 2"],
    ["uid", one.uid],
  ])("copies this part of an issue: %s", (name, copied) => {
    const session = screen(80, 24, [one]).keys("Y").type(name).keys("enter");
    expect(session.effects).toContainEqual({ effect: "copy", text: copied });
  });

  test("cuts the name of a branch between two characters", () => {
    const long = issue(1, { title: "𠮷".repeat(80) });
    const session = screen(80, 24, [long]).keys("Y").type("branch").keys("enter");
    const text = `k001-${"𠮷".repeat(55)}`;
    expect(session.effects).toContainEqual({ effect: "copy", text });
  });

  test("copies the chosen part of all marked issues, one below the other", () => {
    const session = screen(80, 24, [one, issue(2)]).keys("space", "space", "Y", "down", "enter");
    expect(session.effects).toContainEqual({
      effect: "copy",
      text: "Issue number 2\nFix the  Thing: now!",
    });
  });
});

test("C on the board comments on the issue under the cursor", () => {
  const session = screen(80, 24, [issue(1)])
    .keys("C")
    .type("seen")
    .keys("ctrl+s");
  expect(session.writes).toMatchObject([
    { act: "comment", at: { name: "product#k001" }, body: "seen" },
  ]);
});
