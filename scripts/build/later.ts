import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/** What packages of the screen do while they are loaded, and nearly no run of it needs. */
export function laterOrNever(): Plugin {
  return {
    name: "later-or-never",
    setup(build) {
      for (const [filter, changes] of CHANGES) {
        build.onLoad({ filter }, async ({ path }) => {
          let contents = await readFile(path, "utf8");
          for (const [text, instead] of changes) {
            if (contents.search(text) === -1) throw new Error(`${path} has no ${text}`);
            contents = contents.replace(text, instead);
          }
          return { contents, loader: "js" };
        });
      }
    },
  };
}

type Changes = readonly (readonly [text: RegExp, instead: string])[];

/** What waits at module level is for React's own tools; CommonJS has no such await. */
const NO_TOOLS: Changes = [
  [/await import\('\.\/devtools\.js'\);/, ""],
  [/await loadPackageJson\(\)/, "packageInfo"],
];

/** What finds the characters of a text reads a table for milliseconds; it waits for a text that is not ASCII. */
const SEGMENTER_LATER: Changes = [
  [
    /const (segmenter|GRAPHEME_SEGMENTER) = (new Intl\.Segmenter\([^)]*\));/,
    "let made; const $1 = { segment: (text) => (made ??= $2).segment(text) };",
  ],
];

const CHANGES: readonly (readonly [RegExp, Changes])[] = [
  [/[\\/]ink[\\/]build[\\/]reconciler\.js$/, NO_TOOLS],
  [/[\\/]ink[\\/]build[\\/]line-update\.js$/, SEGMENTER_LATER],
  [/[\\/]ansi-tokenize[\\/]build[\\/]tokenize\.js$/, SEGMENTER_LATER],
  [/[\\/]slice-ansi[\\/]tokenize-ansi\.js$/, SEGMENTER_LATER],
  [/[\\/]wrap-ansi[\\/]index\.js$/, SEGMENTER_LATER],
];
