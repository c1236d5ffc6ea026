import { describe, expect, test } from "vitest";
import { helpOf, runCommand, whyNot } from "../../src/screen/commands.ts";
import { initialState } from "../../src/screen/initial-state.ts";
import { allKeys, scopeLists } from "../../src/screen/keys.ts";
import { entriesOf } from "../../src/screen/palette/palette-entries.ts";
import { SCREENS } from "../../src/screen/screens.ts";
import { allSigns } from "../../src/screen/signs.ts";
import { PAINTERS } from "../../tui/screens/painters.ts";
import { PAGE_PAINTERS } from "../../web/painters.ts";
import { START } from "../tui/support.ts";

const KEYS = allKeys(SCREENS);
const state = initialState({ ...START, columns: 160, rows: 40 });

test("terminal and page each have a painter for every screen, in the order of the screens", () => {
  const names = SCREENS.map(({ name }) => name);
  expect(PAINTERS.map(({ name }) => name)).toEqual(names);
  expect(PAGE_PAINTERS.map(({ name }) => name)).toEqual(names);
});

test("each command of the key table has a handler", () => {
  for (const { command } of KEYS) {
    expect(() => whyNot(state, command), command).not.toThrow();
    expect(() => runCommand(state, command), command).not.toThrow();
  }
});

describe.each(SCREENS.map((screen) => [screen.name, screen] as const))(
  "the screen %s",
  (_name, screen) => {
    test("has keys only for commands that this screen or every screen handles", () => {
      const shared = allKeys([]).map(({ command }) => command);
      const own = Object.keys(screen.commands);
      const commands = allKeys([screen]).map(({ command }) => command);
      expect(commands.filter((command) => ![...own, ...shared].includes(command))).toEqual([]);
      expect(own.filter((command) => !commands.some((known) => known === command))).toEqual([]);
    });

    test("is shown by a key that works on every screen", () => {
      const rows = KEYS.filter(({ command }) => command === screen.shownBy);
      expect(rows.map(({ scope }) => scope)).toEqual(["everywhere"]);
      expect(rows[0]?.keys).toContain(String(SCREENS.indexOf(screen) + 1));
      expect(KEYS.map(({ command }) => command)).toContain(screen.opensBy);
    });
  },
);

test("the palette has an entry for each command, under the command's name in the key table", () => {
  const names = new Set(entriesOf(state).map(({ name }) => name));
  for (const { command, name = command } of KEYS) expect(names).toContain(name);
});

test("help names each scope, and each scope with keys or signs is in a list of scopes", () => {
  const inLists = new Set(scopeLists(SCREENS).flat());
  const used = [
    ...KEYS.map(({ scope }) => scope),
    ...allSigns(SCREENS).flatMap(({ on }) => on),
    ...inLists,
  ];
  for (const scope of used) {
    expect(inLists).toContain(scope);
    expect(helpOf(state, scope).where).not.toBe("");
  }
});
