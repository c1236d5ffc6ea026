import { expect, test } from "vitest";
import { hasColours, hasManyColours, isDumb } from "../../src/config/terminal.ts";

test.each([
  [{ TERM: "xterm-256color" }, true],
  [{ TERM: "xterm-direct" }, true],
  [{ TERM: "xterm-kitty", COLORTERM: "truecolor" }, true],
  [{ TERM: "xterm" }, false],
  [{ TERM: "linux", COLORTERM: "" }, false],
  [{}, false],
])("a terminal with the variables %j has 256 colours: %s", (env, expected) => {
  expect(hasManyColours(env)).toBe(expected);
});

test.each([
  [{ TERM: "xterm" }, true],
  [{ TERM: "linux" }, true],
  [{ TERM: "vt525" }, true],
  [{ TERM: "screen" }, true],
  [{}, true],
  [{ TERM: "vt100" }, false],
  [{ TERM: "vt220-8bit" }, false],
  [{ TERM: "xterm-mono" }, false],
  [{ TERM: "linux-m" }, false],
  [{ TERM: "dumb" }, false],
  [{ TERM: "dumb", COLORTERM: "truecolor" }, true],
])("a terminal with the variables %j shows colours: %s", (env, expected) => {
  expect(hasColours(env)).toBe(expected);
});

test.each([
  [{ TERM: "dumb" }, true],
  [{ TERM: "vt100" }, false],
  [{}, false],
])("a terminal with the variables %j can only write lines: %s", (env, expected) => {
  expect(isDumb(env)).toBe(expected);
});
