import fc from "fast-check";
import { expect, test } from "vitest";
import { retyped, type TypedLine, UNTYPED, windowed } from "../../tui/reader/typed.ts";
import { cells, clean } from "../../tui/text.ts";
import { emulator } from "../support/emulator.ts";

test.each([
  ["a character more", ["Title: Hal", ""], ["Title: Half", ""], "f"],
  ["one less", ["Title: Half", ""], ["Title: Hal", ""], "\b \b"],
  ["one less that is two cells wide", ["日本", ""], ["日", ""], "\b\b  \b\b"],
  ["one in the middle", ["Title: Ha", "f"], ["Title: Hal", "f"], "lf\b"],
  ["one to the left", ["Title: Half", ""], ["Title: Hal", "f"], "\b"],
  ["one to the right", ["Title: Hal", "f"], ["Title: Half", ""], "f"],
  ["nothing", ["Title: Hal", "f"], ["Title: Hal", "f"], ""],
  ["the first of it", ["", ""], ["Title: ", ""], "Title: "],
  ["the end of it", ["ab", "c"], ["", ""], "\b\b   \b\b\b"],
])(
  "the terminal gets only what changes the typed line: %s",
  (_what, [was, behind], [is, rest], written) => {
    expect(
      retyped({ before: was ?? "", after: behind ?? "" }, { before: is ?? "", after: rest ?? "" }),
    ).toBe(written);
  },
);

const WIDTH = 40;
const text = fc.string({ unit: "grapheme", maxLength: 60 }).map(clean);
const line = fc
  .tuple(text, text)
  .map(([before, after]): TypedLine => windowed({ before: `Title: ${before}`, after }, WIDTH - 1));

test("the visible part of a typed line contains the cursor, and is never wider than the room", () => {
  fc.assert(
    fc.property(text, text, fc.integer({ min: 4, max: 30 }), (before, after, width) => {
      const shown = windowed({ before, after }, width);
      expect(before.endsWith(shown.before)).toBe(true);
      expect(after.startsWith(shown.after)).toBe(true);
      expect(cells(shown.before + shown.after)).toBeLessThanOrEqual(width);
      if (cells(before) <= width) expect(shown.before).toBe(before);
    }),
  );
});

test("whatever was typed before, the terminal shows the line with the cursor at the typing position", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), async (lines) => {
      const terminal = emulator(WIDTH, 4);
      let was = UNTYPED;
      for (const is of lines) {
        await new Promise<void>((resolve) => terminal.write(retyped(was, is), resolve));
        was = is;
        const { active } = terminal.buffer;
        const shown = active.getLine(active.viewportY)?.translateToString(true).trimEnd();
        expect(shown).toBe((is.before + is.after).trimEnd());
        expect(active.cursorX).toBe(cells(is.before));
      }
      terminal.dispose();
    }),
    { numRuns: 60 },
  );
});
