import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/** Of a file's text what is changed, and what stands there instead. */
export type Change = readonly [text: string | RegExp, instead: string];

/** A package whose text is no longer what is changed here fails the build, not somebody's evening. */
export function changed(path: string, source: string, changes: readonly Change[]): string {
  return changes.reduce((text, [from, to]) => {
    const isThere = typeof from === "string" ? text.includes(from) : from.test(text);
    if (!isThere) throw new Error(`${path} no longer has ${from}`);
    return typeof from === "string" ? text.replaceAll(from, to) : text.replace(from, to);
  }, source);
}

/** Changes files of packages in a bundle that has all of them; one that no longer has such a file fails too. */
export function changing(
  name: string,
  files: readonly (readonly [file: RegExp, changes: readonly Change[]])[],
): Plugin {
  return {
    name,
    setup(build) {
      const unmet = new Set(files.map(([file]) => file));
      for (const [file, changes] of files) {
        build.onLoad({ filter: file }, async ({ path }) => {
          unmet.delete(file);
          const contents = changed(path, await readFile(path, "utf8"), changes);
          return { contents, loader: "js" };
        });
      }
      build.onEnd(() => ({
        errors: [...unmet].map((file) => ({ text: `no file of the bundle is ${file}` })),
      }));
    },
  };
}
