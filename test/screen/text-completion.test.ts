import { expect, test } from "vitest";
import { wordChoices } from "../../src/screen/forms/text-completion.ts";
import { NO_ISSUES, withIssues } from "../../src/screen/issues/issues.ts";
import { form, values } from "../tui/on-form.ts";
import { text } from "../tui/picture.ts";
import { issue, type Session, sample, screen } from "../tui/support.ts";

const onComment = (issues = sample()): Session => screen(80, 24, issues).keys("C");

const choices = (session: Session): readonly string[] => wordChoices(form(session));
const typed = (session: Session): string => values(session)["body"] ?? "";

test("# in a text offers issues by id and by a word of the title", () => {
  expect(choices(onComment().type("see #"))).toHaveLength(7);
  expect(choices(onComment().type("see #k00"))).toHaveLength(7);
  expect(choices(onComment().type("see #rot"))).toEqual(["product#k001  Federation rotate"]);
  expect(choices(onComment().type("see product#rot"))).toHaveLength(1);
  expect(choices(onComment().type("see other#rot"))).toEqual([]);
});

test("the beginning of an id is enough, but a word of letters must be a whole id", () => {
  const issues = [issue(1, { short_id: "then" }), issue(2)];
  expect(choices(onComment(issues).type("k"))).toEqual([]);
  expect(choices(onComment(issues).type("k0"))).toHaveLength(1);
  expect(choices(onComment(issues).type("the"))).toEqual([]);
  expect(choices(onComment(issues).type("then"))).toHaveLength(1);
  expect(choices(onComment(issues).type("00"))).toEqual([]);
});

test.each(["##", "a#b#", "https://example.org/x#k0", "mail@a", "# "])(
  "the text %s offers no issues",
  (word) => {
    expect(choices(onComment().type(word))).toEqual([]);
  },
);

test("issues of the same project come first, then the last changed", () => {
  const other = { project_id: 2, project_name: "other" };
  const issues = [
    issue(1, { updated_at: "2026-11-20T10:00:00.000Z" }),
    issue(2, { updated_at: "2026-11-21T10:00:00.000Z", ...other, qualified_id: "other#k002" }),
    issue(3, { updated_at: "2026-11-19T10:00:00.000Z" }),
  ];
  const session = onComment([issue(1)]);
  // The board shows one project, so it would leave out the issue of the other one.
  session.state = { ...session.state, issues: withIssues(NO_ISSUES, issues) };
  expect(choices(session.type("#k0")).map((line) => line.split("  ")[0])).toEqual([
    "product#k001",
    "product#k003",
    "other#k002",
  ]);
});

test("tab accepts the first suggestion, typing continues after it, and enter starts a new line", () => {
  const session = onComment().type("see  now").keys("left", "left", "left", "left").type("#rot");
  session.keys("tab");
  expect(typed(session)).toBe("see product#k001 now");
  session.type("!").keys("enter");
  expect(typed(session)).toBe("see product#k001!\n now");
  const open = onComment().type("#rot").keys("enter");
  expect(typed(open)).toBe("#rot\n");
  expect(choices(open)).toEqual([]);
});

test("enter accepts a suggestion once down has entered the list, and up from its first line leaves the list", () => {
  expect(typed(onComment().type("#rot").keys("down", "enter"))).toBe("product#k001");
  const left = onComment().type("#rot").keys("down", "up", "enter");
  expect(typed(left)).toBe("#rot\n");
});

test("tab accepts nothing for a word without # or @, unless the list was entered", () => {
  expect(typed(onComment().type("k001").keys("tab"))).toBe("k001");
  expect(typed(onComment().type("k001").keys("down", "tab"))).toBe("product#k001");
});

test("escape closes only the list, until another word begins", () => {
  const session = onComment().type("#k").keys("esc").type("00");
  expect(choices(session)).toEqual([]);
  expect(form(session).leaving).toBe(false);
  expect(choices(session.type(" #k"))).not.toEqual([]);
  session.keys("esc", "esc");
  expect(form(session).leaving).toBe(true);
});

test("moving the cursor away or to another field closes the list", () => {
  expect(choices(onComment().type("#rot").keys("left"))).toEqual([]);
  const session = screen(80, 24).keys("e", "tab").type(" #rot");
  expect(choices(session)).toHaveLength(1);
  session.keys("shift+tab");
  expect(choices(session)).toEqual([]);
});

test("@ in a text offers people by any part of their name", () => {
  expect(choices(onComment().type("@"))).toContain("@ana");
  expect(choices(onComment().type("(@cla"))).toEqual(["@claude"]);
  expect(typed(onComment().type("@aud").keys("tab"))).toBe("@claude");
});

test("completing an issue that is not loaded asks the daemon", () => {
  const session = onComment().type("see #elsewher");
  session.keys("e");
  expect(session.effects).toEqual([
    { effect: "complete", text: "#elsewhere", project_id: 1, q: "elsewhere" },
  ]);
  session.tell({ type: "completed", text: "#elsewher", choices: ["infra#old1  Old"] });
  expect(choices(session)).toEqual([]);
  session.tell({ type: "completed", text: "#elsewhere", choices: ["infra#zz9  Elsewhere"] });
  expect(choices(session)).toEqual(["infra#zz9  Elsewhere"]);
});

test("the terminal shows the list below the text, and the keys that select from it", () => {
  const picture = text(onComment().type("#rot"));
  expect(picture).toContain("product#k001  Federation rotate");
  expect(picture).toContain("tab take   up/down choose   esc close the list");
});

test("a draft that is opened again shows no list of suggestions", () => {
  const session = onComment().type("#rot").keys("down");
  const open = form(session);
  const draft = { id: "a", at: session.state.now, daemon: session.state.connection.daemon };
  session.state = {
    ...session.state,
    writes: {
      ...session.state.writes,
      drafts: [{ ...draft, project: { id: 1, name: "product" }, form: open }],
    },
    dialog: { dialog: "drafts", at: 0 },
  };
  session.keys("enter");
  expect(typed(session)).toBe("#rot");
  expect(choices(session)).toEqual([]);
  expect(form(session).choose).toBeUndefined();
});
