import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/**
 * Ink takes every line of every picture apart into its cells, and forgets them with the picture. Most lines are those of
 * the picture before, so they are looked up there first: half of what a picture costs.
 */
export function rememberCells(): Plugin {
  return {
    name: "remember-cells",
    setup(build) {
      build.onLoad({ filter: /[\\/]ink[\\/]build[\\/]output\.js$/ }, async ({ path }) => {
        let contents = await readFile(path, "utf8");
        for (const [text, instead] of CHANGES) {
          if (contents.split(text).length !== 2) throw new Error(`${path} has no single ${text}`);
          contents = contents.replace(text, () => instead);
        }
        return { contents, loader: "js" };
      });
    },
  };
}

const CHANGES = [
  ["class OutputCaches {", "let before, latest;\nclass OutputCaches {"],
  [
    "        this.height = height;",
    "        this.height = height; before = latest; latest = this.caches;",
  ],
  [
    "cached = styledCharsFromTokens(",
    "cached = before?.styledChars.get(line) ?? styledCharsFromTokens(",
  ],
] as const;
