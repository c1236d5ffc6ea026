import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import type xterm from "@xterm/headless";
import { type BuildOptions, build } from "esbuild";
import fc from "fast-check";
import type * as ink from "ink";
import type * as react from "react";
import wholeWidth from "string-width";
import { afterAll, expect, test } from "vitest";
import { PackageTexts } from "../../scripts/build/packages.ts";
import { screenSettings } from "../../scripts/build/screen.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";
import { emulator } from "../support/emulator.ts";
import { screen } from "./support.ts";

interface Ink
  extends Pick<typeof ink, "render" | "Box" | "Text">,
    Pick<typeof react, "createElement"> {
  readonly stringWidth: typeof wholeWidth;
}

const SIZE = { columns: 160, rows: 50 };
const folder = mkdtempSync(path.join(tmpdir(), "svc-ink-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const root = path.join(import.meta.dirname, "../..");
const ENTRY = `export { Box, render, Text } from "ink";
export { createElement } from "react";
export { default as stringWidth } from "string-width";`;

async function bundled(name: string, options: BuildOptions): Promise<Ink> {
  const outfile = path.join(folder, name);
  const place = path.join(root, "tui");
  const stdin = { contents: ENTRY, resolveDir: place, sourcefile: path.join(place, "entry.js") };
  const from = JSON.stringify(path.join(root, "package.json"));
  const js = `import { createRequire } from "node:module";
const require = createRequire(${from}), __filename = ${from};`;
  await build({ ...options, stdin, outfile, banner: { js } });
  return (await import(pathToFileURL(outfile).href)) as Ink;
}

/** Counts how often a segmenter (which finds the characters of a text) is made. */
function countingSegmenters(): () => number {
  const { Segmenter } = Intl;
  let count = 0;
  const counting = class extends Segmenter {
    constructor(...given: ConstructorParameters<typeof Segmenter>) {
      super(...given);
      count += 1;
    }
  };
  Object.defineProperty(Intl, "Segmenter", { value: counting });
  afterAll(() => void Object.defineProperty(Intl, "Segmenter", { value: Segmenter }));
  return () => count;
}

type Draw = (made: Ink) => ReturnType<Ink["createElement"]>;

const linesOf =
  (lines: readonly string[]): Draw =>
  ({ createElement, Box, Text }) =>
    createElement(
      Box,
      { flexDirection: "column", width: SIZE.columns, height: SIZE.rows },
      lines.map((text, key) => createElement(Text, { key, wrap: "truncate" }, text)),
    );

/** Returns what Ink writes for these pictures, one after the other. */
function written(made: Ink, pictures: readonly Draw[]): readonly string[] {
  const stdout = Object.assign(new PassThrough({ encoding: "utf8" }), { ...SIZE, isTTY: true });
  const texts: string[] = [];
  const shown = made.render(made.createElement(made.Text), {
    stdout: stdout as unknown as NodeJS.WriteStream,
    stdin: Object.assign(new PassThrough(), { isTTY: false }) as unknown as NodeJS.ReadStream,
    debug: true,
    patchConsole: false,
  });
  for (const picture of pictures) {
    stdout.read();
    shown.rerender(picture(made));
    texts.push(String(stdout.read()));
  }
  shown.unmount();
  return texts;
}

/** Returns each cell with its character and everything that decides how it looks. */
async function cellsOf(text: string): Promise<readonly string[]> {
  const terminal = emulator(SIZE.columns, SIZE.rows);
  await new Promise<void>((resolve) => {
    terminal.write(`${text.replaceAll("\n", "\r\n")}|`, resolve);
  });
  const lines = Array.from({ length: SIZE.rows }, (_none, y) => lineOf(terminal, y));
  terminal.dispose();
  return lines;
}

function lineOf(terminal: xterm.Terminal, y: number): string {
  const line = terminal.buffer.active.getLine(y);
  return Array.from({ length: SIZE.columns }, (_none, x) => {
    const cell = line?.getCell(x);
    const looks = [cell?.getFgColor(), cell?.isBold(), cell?.isDim(), cell?.isInverse()];
    return `${cell?.getChars()}${[...looks, cell?.isUnderline()].join(",")}`;
  }).join(" ");
}

/** The original Ink. */
const plain = await bundled("plain.mjs", {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "esnext",
  logLevel: "warning",
  alias: { "react-devtools-core": "node:util" },
});
const segmentersMade = countingSegmenters();
/** Ink as it is in the built screen. */
const patched = await bundled("patched.mjs", screenSettings(root, new PackageTexts()));
const madeAtLoad = segmentersMade();

test("the splitter of a text into characters is created for the first text that is not ASCII", () => {
  const picture = (text: string) => linesOf(Array.from({ length: SIZE.rows }, () => text));
  expect(madeAtLoad).toBe(0);
  written(patched, [picture("plain"), picture("\u001B[1mbold\u001B[0m")]);
  expect(segmentersMade()).toBe(0);
  written(patched, [picture("नी")]);
  expect(segmentersMade()).toBeGreaterThan(0);
});

test("a text has the width that string-width computes, with colours and without", () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: "grapheme", maxLength: 8 }),
    fc.constantFrom(
      "\u001B[1;38;5;33m",
      "\u001B[0m",
      "\u001B[2J",
      "\u001B]8;;a\u0007",
      "\t",
      "日本",
    ),
  );
  const text = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, fc.boolean(), (one, countAnsiEscapeCodes) => {
      const options = { countAnsiEscapeCodes };
      expect(patched.stringWidth(one, options)).toBe(wholeWidth(one, options));
      expect(patched.stringWidth(one)).toBe(wholeWidth(one));
    }),
  );
});

test("complete lines stacked vertically give the same picture as in Ink", async () => {
  const views = [[], ["enter"], ["?"], ["v", "v"], [":"], ["n"], ["/", "z"], ["space", "j"], ["2"]];
  const pictures = (["dark", "none"] as const).flatMap((mode) =>
    views.map((keys) => {
      const { state } = screen(SIZE.columns, SIZE.rows).keys(...keys);
      return linesOf(frame(state, painter(mode)));
    }),
  );
  const wanted = written(plain, pictures);
  const drawn = written(patched, pictures);
  expect(drawn).toHaveLength(pictures.length);
  // Both draw the same cells, although the built one writes other codes.
  expect(drawn).not.toEqual(wanted);
  for (const [at, text] of drawn.entries())
    expect(await cellsOf(text)).toEqual(await cellsOf(wanted[at] ?? ""));
});

test("anything but complete lines is drawn as Ink draws it, to the byte", () => {
  const side: Draw = ({ createElement, Box, Text }) =>
    createElement(
      Box,
      { width: 20, height: 2 },
      createElement(Text, { key: 1 }, "left"),
      createElement(Text, { key: 2, inverse: true }, " right "),
    );
  const two: Draw = ({ createElement, Box, Text }) =>
    createElement(Box, { flexDirection: "column" }, [
      createElement(Text, { key: 1 }, "one\ntwo "),
      createElement(Text, { key: 2 }, "\u001B[1mthree\u001B[0m "),
    ]);
  const styled: Draw = ({ createElement, Box, Text }) =>
    createElement(Box, { height: 1 }, createElement(Text, { bold: true }, "x "));
  const pictures = [side, two, styled];
  expect(written(patched, pictures)).toEqual(written(plain, pictures));
});
