import { expect, test } from "vitest";
import { hasManyColours } from "../../src/config/terminal.ts";

test.each([
  [{ TERM: "xterm-256color" }, true],
  [{ TERM: "xterm-direct" }, true],
  [{ TERM: "xterm-kitty", COLORTERM: "truecolor" }, true],
  [{ TERM: "xterm" }, false],
  [{ TERM: "linux", COLORTERM: "" }, false],
  [{}, false],
])("%j has the table of 256 colours: %s", (env, expected) => {
  expect(hasManyColours(env)).toBe(expected);
});
