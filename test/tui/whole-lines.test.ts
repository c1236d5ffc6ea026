import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import type xterm from "@xterm/headless";
import { build } from "esbuild";
import type * as ink from "ink";
import type * as react from "react";
import { afterAll, expect, test } from "vitest";
import { wholeLines } from "../../scripts/build/ink.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";
import { emulator } from "../support/emulator.ts";
import { screen } from "./support.ts";

type Ink = Pick<typeof ink, "render" | "Box" | "Text"> & Pick<typeof react, "createElement">;

const SIZE = { columns: 160, rows: 50 };
const folder = mkdtempSync(path.join(tmpdir(), "svc-ink-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Ink as the build makes it, or as it is. */
async function built(
  name: string,
  plugins: readonly ReturnType<typeof wholeLines>[],
): Promise<Ink> {
  const outfile = path.join(folder, `${name}.mjs`);
  const root = path.join(import.meta.dirname, "../..");
  const js = 'import { createRequire } from "node:module"; const require = createRequire(".");';
  await build({
    stdin: {
      contents: 'export { Box, render, Text } from "ink"; export { createElement } from "react";',
      resolveDir: root,
    },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "esnext",
    logLevel: "warning",
    banner: { js: js.replace('"."', JSON.stringify(path.join(root, "package.json"))) },
    alias: { "react-devtools-core": "node:util" },
    plugins: [...plugins],
  });
  return (await import(pathToFileURL(outfile).href)) as Ink;
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

/** What Ink writes for these pictures, one after the other. */
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

/** Each cell with its character and everything that makes it look as it does. */
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

const plain = await built("plain", []);
const patched = await built("patched", [wholeLines()]);

test("whole lines one below the other are the picture that Ink makes of them", async () => {
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
  // The same Ink, were it not for the codes that it writes anew.
  expect(drawn).not.toEqual(wanted);
  for (const [at, text] of drawn.entries())
    expect(await cellsOf(text)).toEqual(await cellsOf(wanted[at] ?? ""));
});

test("what is not whole lines is drawn as Ink draws it, to the byte", () => {
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
