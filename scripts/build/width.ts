import { createRequire } from "node:module";
import { join } from "node:path";
import type { Plugin } from "esbuild";

/**
 * How wide a text is, is asked for every line of every picture, and nearly all are ASCII between colours, each character
 * a cell. To build the patterns that measure the rest takes as long as a picture, so they are built for the first text
 * that needs them. Ink and its helpers each bring a copy of an older table: by that, what of a line is new would be drawn
 * at another column behind some letters of India. The screen's own is used by all.
 */
export function quickWidth(root: string): Plugin {
  const whole = createRequire(join(root, "tui", "_")).resolve("string-width");
  return {
    name: "quick-width",
    setup(build) {
      build.onResolve({ filter: /^string-width$/ }, () => ({ path: QUICK, namespace: QUICK }));
      build.onResolve({ filter: /./, namespace: QUICK }, ({ path }) => ({ path }));
      build.onLoad({ filter: /./, namespace: QUICK }, () => {
        return { contents: quick(whole), loader: "js" };
      });
    },
  };
}

const QUICK = "quick-width";

function quick(whole: string): string {
  return `let measure;
export default function stringWidth(text, options) {
  const bare = text.includes("\\u001B") && !options?.countAnsiEscapeCodes ? text.replaceAll(COLOUR, "") : text;
  if (ASCII.test(bare)) return bare.length;
  measure ??= require(${JSON.stringify(whole)}).default;
  return measure(bare, options);
}
const ASCII = /^[ -~]*$/;
const COLOUR = /\\u001B\\[[\\d;]*m/g;
`;
}
