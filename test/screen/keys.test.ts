import { expect, test } from "vitest";
import { instantToMs, msToInstant } from "../../src/base/clock.ts";
import { runCommand, whyNot } from "../../src/screen/commands.ts";
import { ASCII, type Glyphs, UNICODE } from "../../src/screen/glyphs.ts";
import { allKeys } from "../../src/screen/keys.ts";
import { menuRows } from "../../src/screen/palette/menu.ts";
import { SCREENS } from "../../src/screen/screens.ts";
import { allSigns } from "../../src/screen/signs.ts";
import { update } from "../../src/screen/update.ts";
import { NOW, screen } from "../tui/support.ts";

const KEYS = allKeys(SCREENS);
const SIGNS = allSigns(SCREENS);

test("a key has one meaning in each scope", () => {
  const all = KEYS.flatMap(({ scope, keys }) => keys.map((key) => `${scope} ${key}`));
  expect(all).toEqual([...new Set(all)]);
});

test("help lists every command with its keys", () => {
  const listed = menuRows(screen(80, 24).state, "").flatMap(({ row }) => row ?? []);
  expect(new Set(listed)).toEqual(new Set(KEYS));
  for (const { keys, label } of KEYS) {
    expect(keys.length).toBeGreaterThan(0);
    expect(label).not.toBe("");
  }
});

test.each([
  ["board", [], ["> * % ! o b x ~ + -"]],
  ["open issue", ["enter"], ["o b x"]],
  ["inbox", ["2"], [">"]],
  ["graph", ["3"], ["> o b x (seen above)"]],
  ["cron", ["4"], ["> R S F C ?"]],
  ["fleet", ["6"], ["> z"]],
])("help of the %s explains its signs", (_name, keys, [expected = ""]) => {
  const { state } = screen(80, 24).keys(...keys);
  const signs = menuRows(state, "").flatMap((one) => ("sign" in one ? one.sign.text : []));
  for (const sign of expected.split(/ (?!above)/)) expect(signs).toContain(sign);
});

test("every sign of a row is explained, and found by the words signs and legend", () => {
  const { state } = screen(80, 24);
  const explained = new Set(SIGNS.map(({ glyph }) => glyph));
  const drawn = Object.keys(ASCII).filter(
    (name) => !["cut", "line", "branch", "end", "rule"].includes(name),
  );
  expect(drawn.filter((name) => !explained.has(name as keyof Glyphs))).toEqual([]);
  for (const word of ["legend", "signs"])
    expect(menuRows(state, word).filter((one) => "sign" in one)).toHaveLength(SIGNS.length);
  expect(SIGNS.filter(({ text, glyph }) => glyph !== undefined && ASCII[glyph] !== text)).toEqual(
    [],
  );
});

test("no sign has two meanings, whichever set is configured", () => {
  for (const glyphs of [ASCII, UNICODE]) {
    const signs = SIGNS.map(({ text, glyph }) => (glyph === undefined ? text : glyphs[glyph]));
    expect(signs.filter((sign, at) => signs.indexOf(sign) !== at)).toEqual([]);
  }
});

test("Enter on a sign explains it and does nothing", () => {
  const session = screen(80, 24).keys("?").type("does not match").keys("enter");
  expect(session.state.dialog).toBeUndefined();
  expect(session.state.messages.notice?.text).toContain(
    "does not match: shown for what is below it",
  );
});

test.each(KEYS.map((row) => [row.command, row] as const))(
  "the command %s does something or says why it cannot, with and without issues",
  (command) => {
    for (const session of [screen(160, 50), screen(80, 24, [])]) {
      const why = whyNot(session.state, command);
      const { state, effects } = runCommand(session.state, command);
      expect(why ?? state.messages.notice?.text).toBe(state.messages.notice?.text);
      if (why !== undefined) expect(effects.map(({ effect }) => effect)).toEqual(["wake"]);
    }
  },
);

test("a key without a meaning shows a message that says so, and changes nothing", () => {
  const session = screen(80, 24);
  const before = session.state;
  session.keys("Z");
  expect(session.state.messages.notice?.text).toBe("no action on Z here");
  expect({ ...session.state, messages: { ...session.state.messages, notice: undefined } }).toEqual(
    before,
  );
});

test.each([
  ["a key without a meaning", "Z", 1000],
  ["a key that does nothing now", "c", 4000],
])(
  "a message about %s is visible for its time, and no longer than until the next key",
  (_what, key, ms) => {
    const session = screen(80, 24).keys(key);
    const said = session.state.messages.notice?.text;
    expect(session.effects).toEqual([{ effect: "wake", ms }]);
    const after = (passed: number): string | undefined => {
      const now = msToInstant(instantToMs(NOW) + passed);
      return update({ ...session.state, now }, { type: "tick" }).state.messages.notice?.text;
    };
    expect([after(ms * 0.9), after(ms)]).toEqual([said, undefined]);
    expect(session.keys("j").state.messages.notice).toBeUndefined();
  },
);

test("the palette lists the command that starts with the typed text first, and Enter runs it", () => {
  const session = screen(80, 24).keys(":").type("clos").keys("enter");
  expect(session.writes).toMatchObject([{ act: "close" }]);
});
