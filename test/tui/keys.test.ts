import { expect, test } from "vitest";
import { KEYS } from "../../tui/keys.ts";
import { runCommand, whyNot } from "../../tui/state/commands.ts";
import { menuRows } from "../../tui/state/menu.ts";
import { screen } from "./support.ts";

test("a key has one meaning in each scope", () => {
  const all = KEYS.flatMap(({ scope, keys }) => keys.map((key) => `${scope} ${key}`));
  expect(all).toEqual([...new Set(all)]);
});

test("help lists every command with its keys", () => {
  const listed = menuRows(screen(80, 24).state, "").map(({ row }) => row);
  expect(new Set(listed)).toEqual(new Set(KEYS));
  for (const { keys, label } of KEYS) {
    expect(keys.length).toBeGreaterThan(0);
    expect(label).not.toBe("");
  }
});

test.each(KEYS.map((row) => [row.command, row] as const))(
  "%s does something or says why it cannot, with and without issues",
  (command) => {
    for (const session of [screen(160, 50), screen(80, 24, [])]) {
      const why = whyNot(session.state, command);
      const { state, effects } = runCommand(session.state, command);
      expect(why ?? state.notice?.text).toBe(state.notice?.text);
      if (why !== undefined) expect(effects.map(({ effect }) => effect)).toEqual(["wake"]);
    }
  },
);

test("a key without a meaning says so and changes nothing", () => {
  const session = screen(80, 24);
  const before = session.state;
  session.keys("Z");
  expect(session.state.notice?.text).toBe("no action on Z here");
  expect({ ...session.state, notice: undefined }).toEqual(before);
});

test("the palette puts the command that begins with the words first, and Enter runs it", () => {
  const session = screen(80, 24).keys(":").type("clos").keys("enter");
  expect(session.writes).toMatchObject([{ act: "close" }]);
});
