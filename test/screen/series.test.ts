import { expect, test } from "vitest";
import type { Series } from "../../src/screen/cron/state.ts";
import type { EffectOf } from "../../src/screen/effect.ts";
import { commandOf } from "../../src/screen/writes/command-line.ts";
import { text } from "../tui/picture.ts";
import { issue, type Session, screen } from "../tui/support.ts";

const UID = "01JSERIES00000000000000001";

function series(more: Partial<Series> = {}): Series {
  return {
    id: 1,
    uid: UID,
    project_id: 1,
    rrule: "FREQ=WEEKLY;BYDAY=MO",
    dtstart: "2026-11-02",
    timezone: "Europe/Berlin",
    template_title: "Water the plants",
    template_body: "All of them.",
    template_owner: "bo",
    template_priority: 2,
    template_labels: ["home"],
    template_metadata: {},
    next_occurrence_key: "2026-11-30",
    last_materialized_uid: issue(1).uid,
    author: "ana",
    revision: 3,
    created_at: "2026-11-01T10:00:00.000Z",
    updated_at: "2026-11-01T10:00:00.000Z",
    ...more,
  };
}

/** The series of the project, as the daemon answers. */
function shown(all: readonly Series[] = [series()], session = screen(120, 30)): Session {
  session.keys("7");
  session.tell({
    type: "cron",
    project_id: 1,
    tab: "series",
    cron: { jobs: [], series: [...all] },
  });
  return session;
}

/** Each change is typed into the field of that name. */
function edited(session: Session, change: Readonly<Record<string, string>>): Session {
  return filledIn(session.keys("e"), change).keys("ctrl+s");
}

function filledIn(session: Session, change: Readonly<Record<string, string>>): Session {
  const { dialog } = session.state;
  if (dialog?.dialog !== "form") throw new Error("no form is open");
  const fields = dialog.fields.map((field) => {
    const value = change[field.name];
    return value === undefined ? field : { ...field, value: { text: value, at: value.length } };
  });
  session.state = { ...session.state, dialog: { ...dialog, fields } };
  return session;
}

const written = ({ effects }: Session) =>
  effects.flatMap((effect) => (effect.effect === "write" ? [effect.write] : []));

test("the key 7 and the palette show the series of the project and their next dates", () => {
  const session = shown([
    series(),
    series({ uid: `${UID.slice(0, -1)}2`, next_occurrence_key: null }),
  ]);
  const drawn = text(session);
  expect(drawn).toContain("[Series 2]");
  expect(drawn).toMatch(/2026-11-30\s+Water the plants\s+FREQ=WEEKLY;BYDAY=MO\s+k001\s+bo/);
  expect(drawn).toMatch(/ended\s+Water the plants/);
  expect(drawn).toContain(
    "the issue for 2026-11-30 comes when the one before it is closed as done",
  );
  expect(text(session.keys("j"))).toContain("the rule gives no more days");
  const other = screen(120, 30).keys(":").type("recurrence list").keys("enter");
  expect([other.state.screen, other.state.cron.tab]).toEqual(["cron", "series"]);
  expect(other.effects).toContainEqual(
    expect.objectContaining({ effect: "load-cron", tab: "series" }),
  );
});

test("a project without a series says how to create one", () => {
  expect(text(shown([]))).toContain("nothing comes again yet");
  expect(text(shown([]))).toContain("svc recurrence create");
});

test("enter opens the last issue of a series", () => {
  expect(shown().keys("enter").state.detail.open).toEqual([issue(1).uid]);
});

test.each([
  [{ rrule: "FREQ=DAILY" }, { rrule: "FREQ=DAILY" }, "--rrule 'FREQ=DAILY'"],
  [{ owner: "" }, { owner: null }, "--clear-owner"],
  [{ owner: "ana" }, { owner: "ana" }, "--owner ana"],
  [{ priority: "-" }, { priority: null }, "--clear-priority"],
  [{ priority: "0" }, { priority: 0 }, "--priority 0"],
  [{ labels: "home, garden" }, { labels: ["home", "garden"] }, "--label home --label garden"],
  [
    { title: "Water all", timezone: "UTC" },
    { title: "Water all", timezone: "UTC" },
    "--timezone UTC --title 'Water all'",
  ],
])(
  "a form changed by %j sends the change %j, like the svc command with %s",
  (typed, change, flags) => {
    const [write] = written(edited(shown(), typed));
    expect(write).toMatchObject({ act: "edit-series", at: { uid: UID }, change, revision: 3 });
    const command = write === undefined ? "" : commandOf(write, "ana");
    expect(command.replaceAll("'FREQ=DAILY'", "FREQ=DAILY")).toBe(
      `svc recurrence update ${UID} --if-match 3 --project product ${flags.replaceAll("'FREQ=DAILY'", "FREQ=DAILY")}`,
    );
  },
);

test("a form without a change sends nothing, and a form without a rule is refused", () => {
  expect(written(edited(shown(), {}))).toEqual([]);
  const session = edited(shown(), { rrule: " " });
  expect(written(session)).toEqual([]);
  expect(session.state.dialog).toMatchObject({ error: "Rule is empty: a series needs it" });
});

test("what somebody else changed meanwhile is overwritten only when the person sends the form again", () => {
  const session = edited(shown(), { rrule: "FREQ=DAILY" });
  const id = session.effects.flatMap((one) => (one.effect === "write" ? [one.id] : []))[0] ?? 0;
  session.tell({ type: "refused", id, code: "revision_conflict", text: "it is at revision 4" });
  expect(session.state.dialog).toMatchObject({
    dialog: "form",
    error: "it is at revision 4",
    notes: [expect.stringContaining("send it again")],
  });
  const cron = { series: [series({ revision: 4, template_owner: "eve" })] };
  session.tell({ type: "cron", project_id: 1, tab: "series", cron });
  expect(written(session.keys("ctrl+s"))).toMatchObject([
    { change: { rrule: "FREQ=DAILY" }, revision: 4 },
  ]);
});

test("a series is ended after a question, and the list of series is loaded again", () => {
  const session = shown().keys("delete");
  expect(session.state.dialog).toMatchObject({ dialog: "confirm" });
  session.keys("y");
  expect(written(session)).toMatchObject([{ act: "delete-series", at: { uid: UID }, revision: 3 }]);
  const id = session.effects.flatMap((one) => (one.effect === "write" ? [one.id] : []))[0] ?? 0;
  session.tell({ type: "written", id, issue: undefined });
  expect(session.state.messages.notice?.text).toContain("deleted the series Water the plants");
  expect(session.effects).toContainEqual(
    expect.objectContaining({ effect: "load-cron", tab: "series" }),
  );
});

test("the keys e and delete say where series are shown if the line has none", () => {
  for (const key of ["e", "delete"]) {
    const session = screen(120, 30).keys("4", key);
    expect(session.state.messages.notice?.text).toBe("it is about a series: 7 shows them");
  }
});

test("n opens the form of a new series, which requests the next days whenever the rule changes", () => {
  const session = shown([]).keys("n");
  const { dialog } = session.state;
  if (dialog?.dialog !== "form") throw new Error("no form is open");
  expect(dialog.title).toBe("new series");
  const asked = () => session.effects.filter(({ effect }) => effect === "series-days");
  const [first] = asked();
  expect(first).toMatchObject({ rrule: "FREQ=WEEKLY", after: undefined, wait: 0 });
  session.keys("tab", "end").type(";COUNT=2");
  const last = asked().at(-1);
  expect(last).toMatchObject({ rrule: "FREQ=WEEKLY;COUNT=2" });
  expect(text(session)).toContain("computing the next days");
  const days = { days: ["Mon 2026-11-30", "Mon 2026-12-07"], goesOn: false, error: undefined };
  if (first?.effect !== "series-days" || last?.effect !== "series-days") throw new Error("none");
  session.tell({ type: "series-days", asked: daysAsked(first), ...days });
  expect(text(session)).not.toContain("2026-12-07");
  session.tell({ type: "series-days", asked: daysAsked(last), ...days });
  expect(text(session)).toContain("next days: Mon 2026-11-30, Mon 2026-12-07, and none after");
  expect(text(session)).toContain("each issue is made when the one before it is closed as done");
});

function daysAsked({ rrule, dtstart, timezone, after }: EffectOf<"series-days">) {
  return { rrule, dtstart, timezone, after };
}

test("the form of an existing series requests the days after its last issue", () => {
  const last = issue(1, { metadata: { scheduled_on: "2026-11-23" } });
  const session = shown([series()], screen(120, 30, [last]));
  session.keys("e");
  const asked = session.effects.filter(({ effect }) => effect === "series-days");
  expect(asked).toMatchObject([{ rrule: "FREQ=WEEKLY;BYDAY=MO", after: "2026-11-23" }]);
});

test.each([
  [{}, "--label home", {}],
  [{ first: "product#k002  Another" }, "--label home --initial-issue product#k002", {}],
  [
    { owner: "bo", priority: "0", body: "All." },
    "--body All. --owner bo --priority 0 --label home",
    { owner: "bo", priority: 0, body: "All." },
  ],
])(
  "a new series with %j is the one that the svc command with %s creates",
  (more, flags, expected) => {
    const session = shown([]).keys("n");
    const given = { title: "Water", rrule: "FREQ=DAILY", dtstart: "2026-12-01", labels: "home" };
    const all: Readonly<Record<string, string>> = { ...given, timezone: "Europe/Berlin", ...more };
    const [write] = written(filledIn(session, all).keys("ctrl+s"));
    expect(write).toMatchObject({
      act: "create-series",
      series: { template: { title: "Water", labels: ["home"], ...expected } },
    });
    expect(write === undefined ? "" : commandOf(write, "ana")).toBe(
      `svc recurrence create --project product --rrule 'FREQ=DAILY' --dtstart 2026-12-01 --timezone Europe/Berlin --title Water ${flags}`.replace(
        "'FREQ=DAILY'",
        "FREQ=DAILY",
      ),
    );
  },
);

test("a new series needs a title and a project", () => {
  const session = shown([]).keys("n", "ctrl+s");
  expect(written(session)).toEqual([]);
  expect(session.state.dialog).toMatchObject({ error: "Title is empty: a series needs it" });
  const nowhere = shown([]);
  nowhere.state = {
    ...nowhere.state,
    scope: { ...nowhere.state.scope, project: undefined },
  };
  expect(nowhere.keys("n").state.messages.notice?.text).toBe(
    "a series belongs to a project: 5 chooses one",
  );
});

test("a refused series stays in its form, with the cursor on the field that was refused", () => {
  const session = filledIn(shown([]).keys("n"), { title: "Water" }).keys("ctrl+s");
  const id = session.effects.flatMap((one) => (one.effect === "write" ? [one.id] : []))[0] ?? 0;
  session.tell({ type: "refused", id, code: "validation", text: "Rule: no", field: "rrule" });
  const { dialog } = session.state;
  expect(dialog).toMatchObject({ dialog: "form", error: "Rule: no", saving: false });
  expect(dialog?.dialog === "form" ? dialog.fields[dialog.focus]?.name : "").toBe("rrule");
});

test("a new series is shown among the others", () => {
  const session = filledIn(shown().keys("n"), { title: "Water" }).keys("ctrl+s");
  const id = session.effects.flatMap((one) => (one.effect === "write" ? [one.id] : []))[0] ?? 0;
  session.tell({ type: "written", id, issue: undefined });
  expect(session.state.dialog).toBeUndefined();
  expect([session.state.screen, session.state.cron.tab]).toEqual(["cron", "series"]);
  expect(session.state.messages.notice?.text).toContain("created the series Water");
  const all = [series({ uid: `${UID.slice(0, -1)}9`, template_title: "Water" }), series()];
  session.tell({ type: "cron", project_id: 1, tab: "series", cron: { series: all } });
  session.keys("delete");
  expect(session.state.dialog).toMatchObject({
    dialog: "confirm",
    text: expect.stringContaining(`"Water"`),
  });
});
