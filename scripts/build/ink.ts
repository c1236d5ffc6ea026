import type { Plugin } from "esbuild";
import { changing } from "./changing.ts";

/**
 * Ink takes every line of every picture apart into cells, lays them over each other, and puts them together again: most
 * of what a picture costs, and nearly all that it leaves to be collected. The screen is whole lines one below the other,
 * each of which begins and ends in the terminal's own colours, so they are the picture as they are. What is drawn
 * otherwise goes Ink's own way.
 */
export function wholeLines(): Plugin {
  return changing("whole-lines", [
    [
      /[\\/]ink[\\/]build[\\/]output\.js$/,
      [
        [GET, `$&${AS_THEY_ARE}`],
        [/$/, LINES],
      ],
    ],
  ]);
}

/** Where Ink makes a picture of all that was written. */
const GET = / {4}get\(\) \{\n(?= {8}\/\/ Initialize output array )/;

const AS_THEY_ARE = `        const lines = wholeLines(this);
        if (lines !== undefined) return { output: lines.join("\\n"), height: lines.length };
`;

/** Ink has each text go through the styles of its component, which may make another of it. */
const LINES = `
function wholeLines({ operations, height }) {
    const isWhole = operations.length === height && operations.every(({ type, x, y, text, transformers }, at) =>
        type === "write" && x === 0 && y === at && !text.includes("\\n") &&
        transformers.every((transform) => transform(text, 0) === text));
    return isWhole ? operations.map(({ text }) => text.trimEnd()) : undefined;
}
`;
