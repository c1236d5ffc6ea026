import { describe, expect, test } from "vitest";
import { clipboardOf } from "../../src/config/terminal.ts";
import { type CopyResult, copyText, MAX_ENCODED_BYTES } from "../../tui/clipboard.ts";

/** Copies a text. Returns the result and what was written to the terminal. */
function copied(
  text: string,
  programs: readonly (readonly string[])[] = [],
  isLost = false,
  within?: readonly string[],
): { readonly how: CopyResult; readonly written: string } {
  let written = "";
  const write = (sequence: string): void => void (written += sequence);
  return { how: copyText(text, { isLost, within, programs, env: process.env, write }), written };
}

const GOOD = ["cat"];
const BAD = ["false"];
const MISSING = ["svc-has-no-such-program"];

/** The longest text that fits; base64 needs four bytes for three. */
const LONGEST = Math.floor(MAX_ENCODED_BYTES / 4) * 3;

describe("copying a text", () => {
  test("sends the text to the terminal, whatever it contains", () => {
    const { how, written } = copied("product#k7 日本\n", [GOOD]);
    expect(how).toEqual({ by: "terminal" });
    const [start, end] = ["\u001B]52;c;", "\u0007"];
    expect(written.startsWith(start) && written.endsWith(end)).toBe(true);
    const encoded = written.slice(start.length, -end.length);
    expect(Buffer.from(encoded, "base64").toString()).toBe("product#k7 日本\n");
  });

  test("removes control characters and direction marks from the text", () => {
    const { written } = copied("a\u001b]0;x\u0007\r\u009b31mb\tc\u202ed\u2066\ne\u007f");
    const encoded = written.slice("\u001B]52;c;".length, -1);
    expect(Buffer.from(encoded, "base64").toString()).toBe("a]0;x31mb\tcd\ne");
  });

  test("sends the longest allowed text to the terminal, and one byte more to a program", () => {
    expect(copied("x".repeat(LONGEST), [GOOD]).how).toEqual({ by: "terminal" });
    const { how, written } = copied("x".repeat(LONGEST + 1), [MISSING, BAD, GOOD]);
    expect(how).toEqual({ by: "program", program: "cat" });
    expect(written).toBe("");
  });

  test("uses a program if the terminal would lose the text", () => {
    expect(copied("x", [GOOD], true)).toEqual({
      how: { by: "program", program: "cat" },
      written: "",
    });
  });

  test("uses the terminal multiplexer's own program first, and another way if that fails", () => {
    const { how, written } = copied("x", [], false, GOOD);
    expect(how).toEqual({ by: "program", program: "cat" });
    expect(written).toBe("");
    expect(copied("x", [], false, BAD).how).toEqual({ by: "terminal" });
    expect(copied("x", [GOOD], true, MISSING).how).toEqual({ by: "program", program: "cat" });
  });

  test.each([
    ["x".repeat(LONGEST + 1), false, "too long"],
    ["x", true, "takes no copies"],
  ])("a copy that fails says why", (text, isLost, why) => {
    const { how, written } = copied(text, [MISSING, BAD], isLost);
    expect(how).toEqual({ by: "nothing", why: expect.stringContaining(why) });
    expect(written).toBe("");
  });
});

test.each([
  [{ TERM: "xterm-256color" }, false, ["pbcopy"]],
  [{ TERM: "linux" }, true, ["pbcopy"]],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "Apple_Terminal" }, true, ["pbcopy"]],
  [{ VTE_VERSION: "7600" }, false, ["pbcopy"]],
  [{ VTE_VERSION: "7600", DISPLAY: ":0" }, true, ["pbcopy", "xclip"]],
  [{ WAYLAND_DISPLAY: "w", DISPLAY: ":0" }, false, ["pbcopy", "wl-copy", "xclip"]],
  [{ WAYLAND_DISPLAY: "", DISPLAY: "" }, false, ["pbcopy"]],
  [{ STY: "1.pts-0" }, true, ["pbcopy"]],
  [{ TERM: "dumb" }, true, ["pbcopy"]],
  [{ STY: "1.pts-0", TMUX: "/run/tmux,1,0" }, false, ["pbcopy"]],
])(
  "a terminal with the environment %j would lose a copied text: %j, and the programs to copy are %j",
  (env, isLost, names) => {
    const clipboard = clipboardOf(env);
    expect(clipboard.isLost).toBe(isLost);
    expect(clipboard.within?.[0]).toBe("TMUX" in env ? "tmux" : undefined);
    expect(clipboard.programs.map(([name]) => name)).toEqual(names);
  },
);
