import { expect, test } from "vitest";
import { initialState } from "../../src/screen/initial-state.ts";
import { type KeyChoices, keyFor, keymapOf as keymapWith } from "../../src/screen/keymap.ts";
import { allKeys } from "../../src/screen/keys.ts";
import { SCREENS } from "../../src/screen/screens.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";
import { Session, START } from "../tui/support.ts";

const KEYS = allKeys(SCREENS);
const keymapOf = (choices: KeyChoices) => keymapWith(choices, SCREENS);
const keysOf = (choices: KeyChoices, name: string) =>
  keymapOf(choices).keys.find(({ scope, command }) => `${scope}.${command}` === name)?.keys;

test("without custom keys the table of keys is unchanged", () => {
  expect(keymapOf({})).toEqual({ keys: KEYS, problems: [] });
});

test("custom keys replace the keys of a command, and an empty list of keys removes them", () => {
  const choices = { "list.down": ["ctrl+j", "J"], "list.fold-all": [], "issue.new": ["insert"] };
  const { keys, problems } = keymapOf({ ...choices, "list.down": ["J", "shift+down"] });
  expect(problems).toEqual([]);
  expect(keys.find(({ command }) => command === "down")?.keys).toEqual(["J", "shift+down"]);
  expect(keys.find(({ command }) => command === "fold-all")?.keys).toEqual([]);
  expect(keys.find(({ command }) => command === "new")?.keys).toEqual(["insert"]);
  expect(keys.map(({ command }) => command)).toEqual(KEYS.map(({ command }) => command));
});

test("a renamed command is still found by its old name", () => {
  expect(keymapOf({ "cron.cron-turn": ["F"] }).problems).toEqual([]);
  expect(keysOf({ "cron.cron-turn": ["F"] }, "cron.cron-toggle")).toEqual(["F"]);
});

test("a custom key is taken from the command that had it, and a command left without a key is reported", () => {
  const { keys, problems } = keymapOf({ "list.down": ["E"] });
  expect(keys.find(({ command }) => command === "fold-all")?.keys).toEqual([]);
  expect(problems).toEqual(["tui.keys: list.fold-all has no key any more; : finds it"]);
  expect(keymapOf({ "list.down": ["k"] }).problems).toEqual([]);
  expect(keysOf({ "list.down": ["k"] }, "list.up")).toEqual(["up"]);
});

test.each([
  [{ "list.dwn": ["n"] }, ["tui.keys: no command is called list.dwn"]],
  [{ down: ["n"] }, ["tui.keys: no command is called down"]],
  [{ "list.down": ["ctrl-n"] }, ['tui.keys.list.down: "ctrl-n" is no key; keys are written like']],
  [{ "list.down": ["ctrl+"] }, ['"ctrl+" is no key']],
  [{ "list.down": ["ctrl+c"] }, ["ctrl+c always quits"]],
  [{ "list.down": ["ctrl+i"] }, ["a terminal sends the same for ctrl+i and tab"]],
  [{ "list.down": ["Z"], "list.up": ["Z"] }, ["tui.keys: Z is list.down already, not list.up"]],
  [
    { "list.down": ["x"] },
    ["tui.keys: where both can be meant, x is list.down and not issue.close"],
  ],
  [{ "everywhere.reload": ["j"] }, ["list.down and not everywhere.reload"]],
  [{ "lines.next-line": ["m"] }, ["m is fleet.fleet-message and not lines.next-line"]],
  [{ "lines.next-line": ["x"] }, ["x is lines.next-line and not issue.close"]],
  [{ "lanes.lane-left": ["h"], "list.down": ["h"] }, ["h is lanes.lane-left and not list.down"]],
])("the key settings %j are reported as a problem", (choices, expected) => {
  const { problems } = keymapOf(choices);
  for (const text of expected) expect(problems.join("\n")).toContain(text);
});

test.each([{ "graph.graph-fold": ["Z"], "cron.cron-preview": ["Z"] }, { "detail.comment": ["s"] }])(
  "the key settings %j are no conflict, since no key is looked up in both scopes",
  (choices) => {
    expect(keymapOf(choices).problems).toEqual([]);
  },
);

test.each(["+", "日", "ctrl+pgdn", "alt+shift+up", "-", "ctrl+alt+x"])(
  "%s is a valid key",
  (key) => {
    expect(keymapOf({ "list.down": [key] }).problems.join("\n")).not.toContain("is no key");
  },
);

/** A screen with these keys. */
function screenWith(choices: KeyChoices): Session {
  const { keys } = keymapOf(choices);
  return new Session(initialState({ ...START, columns: 80, rows: 24, keys }));
}

test("footer, help, palette and the keyboard use custom keys", () => {
  const choices = { "list.up": ["W"], "issue.new": ["Z"], "everywhere.help": ["K"] };
  const session = screenWith(choices);
  const footer = (): string => frame(session.state, painter("none")).at(-1) ?? "";
  expect(footer()).toContain("j/W move");
  expect(footer()).toContain("Z new");
  expect(footer()).toContain(" K help ");
  session.keys("?");
  expect(session.state.dialog).toBeUndefined();
  expect(session.state.messages.notice?.text).toBe("no action on ? here");
  session.keys("K").type("new issue");
  const help = frame(session.state, painter("none")).join("\n");
  expect(help).toMatch(/ Z +new issue/);
  session.keys("esc", "Z");
  expect(session.state.dialog).toMatchObject({ dialog: "form", title: "new issue" });
});

test("an entry of the footer names the keys of its command, and no key if the command has none", () => {
  const word = (choices: KeyChoices, command: string) =>
    keymapOf(choices).keys.find((row) => row.command === command)?.word;
  expect(word({ "list.down": [] }, "down")).toBe("k move");
  expect(word({ "list.down": [], "list.up": [] }, "down")).toBe("move");
  expect(word({ "graph.graph-less": ["{"] }, "graph-more")).toBe("{ ] depth");
  expect(word({ "list.filter": ["f"] }, "filter")).toBe("f filter");
});

test("a command is shown with its first key, or with the palette's key if it has none", () => {
  expect(keyFor({ preferences: { keys: KEYS } }, "clear-filter")).toBe("c");
  expect(keyFor({ preferences: keymapOf({ "list.clear-filter": [] }) }, "clear-filter")).toBe(":");
});
