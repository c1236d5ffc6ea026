import xterm from "@xterm/headless";
import stringWidth from "string-width";

/** A terminal that draws each character by itself and never joins any. Widths differ most in such terminals. */
export function emulator(columns: number, rows: number): xterm.Terminal {
  const one = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const wcwidth = (code: number): 0 | 1 | 2 => {
    const width = code < 32 ? 0 : stringWidth(String.fromCodePoint(code));
    return width === 0 ? 0 : width === 1 ? 1 : 2;
  };
  one.unicode.register({
    version: "single",
    wcwidth,
    charProperties: (code, before) => {
      const width = wcwidth(code);
      // The bits are those of the package: whether the character joins, and the width of both then.
      return width === 0 && before !== 0 ? (before & 6) | 1 : width << 1;
    },
  });
  one.unicode.activeVersion = "single";
  return one;
}
