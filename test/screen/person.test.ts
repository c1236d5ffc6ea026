import { describe, expect, test } from "vitest";
import { personMeant } from "../../src/shared/person-meant.ts";
import { text } from "../tui/picture.ts";
import { issue, screen } from "../tui/support.ts";

test.each([
  ["bo", "ana", false, "bo"],
  ["@me", "ana", false, "ana"],
  ["@me", "ana", true, "ana"],
  ["me", "ana", false, "ana"],
  ["me", "ana", true, undefined],
  ["me", "me", true, "me"],
  ["Me", "ana", true, "Me"],
])(
  "the name %j typed by %s, with somebody called me or not (%s), means %s",
  (typed, actor, isTaken, meant) => {
    expect(personMeant(typed, actor, () => isTaken)).toBe(meant);
  },
);

/** The keys that lead to a field for a person, and those after the name. */
const FIELDS = {
  "the owner of an issue": { before: ["a"], after: ["enter"] },
  "whom to ask": { before: ["i"], after: ["enter", "h", "i", "enter"] },
  "the owner of an issue in one line": {
    before: ["Q", ...Array.from("new owner:")],
    after: ["enter"],
  },
} as const;

function named(
  { before, after }: (typeof FIELDS)[keyof typeof FIELDS],
  name: string,
  owner: string,
) {
  return screen(80, 24, [issue(1, { owner })]).keys(...before, ...name, ...after);
}

describe.each(Object.entries(FIELDS))("%s", (_what, field) => {
  test.each(["me", "@me"])("can be set to %s, meaning the person at the screen", (name) => {
    const [write] = named(field, name, "ana").writes;
    expect(write).toMatchObject(write?.act === "notify" ? { to: "ana" } : { owner: "ana" });
  });

  test("is refused as ambiguous if me is typed and somebody else is called me", () => {
    const session = named({ ...field, after: ["enter"] } as typeof field, "me", "me");
    expect(session.writes).toEqual([]);
    expect(text(session)).toContain('me may be you, "ana", or the person who is called me: @me');
    expect(session.state.dialog).toMatchObject({ dialog: "prompt" });
  });
});

describe("the owner in the form of a new issue", () => {
  const form = (name: string, owner: string) => {
    const session = screen(80, 24, [issue(1, { owner })])
      .keys("n")
      .type("new");
    const { dialog } = session.state;
    if (dialog?.dialog !== "form") throw new Error("a form is open");
    const tabs = dialog.fields.findIndex((field) => field.name === "owner") - dialog.focus;
    return session
      .keys(...Array.from({ length: tabs }, () => "tab"))
      .type(name)
      .keys("ctrl+s");
  };

  test("can be set to me, which means the person at the screen", () => {
    expect(form("me", "bo").writes).toMatchObject([{ act: "create", owner: "ana" }]);
  });

  test("is refused as ambiguous if me is typed and somebody else is called me", () => {
    const session = form("me", "me");
    expect(session.writes).toEqual([]);
    expect(session.state.dialog).toMatchObject({
      error: expect.stringContaining("@me is you"),
    });
  });
});
