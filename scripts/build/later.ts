import type { Plugin } from "esbuild";
import { type Change, changing } from "./changing.ts";

/** What packages of the screen do while they are loaded, and nearly no run of it needs. */
export function laterOrNever(): Plugin {
  return changing("later-or-never", [
    [/[\\/]ink[\\/]build[\\/]reconciler\.js$/, NO_TOOLS],
    [/[\\/]ink[\\/]build[\\/]line-update\.js$/, SEGMENTER_LATER],
    [/[\\/]ansi-tokenize[\\/]build[\\/]tokenize\.js$/, SEGMENTER_LATER],
    [/[\\/]slice-ansi[\\/]tokenize-ansi\.js$/, SEGMENTER_LATER],
    [/[\\/]wrap-ansi[\\/]index\.js$/, SEGMENTER_LATER],
  ]);
}

/** What waits at module level is for React's own tools; CommonJS has no such await. */
const NO_TOOLS: readonly Change[] = [
  ["await import('./devtools.js');", ""],
  ["await loadPackageJson()", "packageInfo"],
];

/** What finds the characters of a text reads a table for milliseconds; it waits for a text that is not ASCII. */
const SEGMENTER_LATER: readonly Change[] = [
  [
    /const (segmenter|GRAPHEME_SEGMENTER) = (new Intl\.Segmenter\([^)]*\));/,
    "let made; const $1 = { segment: (text) => (made ??= $2).segment(text) };",
  ],
];
