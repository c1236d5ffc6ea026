import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/**
 * Ink's layout engine is compiled behind an await at module level, which only ES modules have, and theirs is a slow
 * start. Small as it is, it is compiled at once instead; then all of the screen can be one CommonJS file.
 */
export function yogaAtOnce(): Plugin {
  return {
    name: "yoga-at-once",
    setup(build) {
      build.onLoad({ filter: /[\\/]yoga-layout[\\/]dist[\\/]src[\\/]index\.js$/ }, () => ({
        contents: AT_ONCE,
        loader: "js",
      }));
      build.onLoad({ filter: /[\\/]yoga-wasm-base64-esm\.js$/ }, async ({ path }) => {
        const contents = await readFile(path, "utf8");
        const [, program] = BINARY.exec(contents) ?? [];
        if (program === undefined) throw new Error(`${path} has no program in it`);
        const exported = `export const program = ${JSON.stringify(program)};`;
        return { contents: `${contents.replace(program, "")}\n${exported}`, loader: "js" };
      });
    },
  };
}

const BINARY = /"data:application\/octet-stream;base64,([A-Za-z0-9+/=]{1000,})"/;

/** What Emscripten calls to have its program made, and to be given it, in one turn. */
const AT_ONCE = `
import loadYoga, { program } from "../binaries/yoga-wasm-base64-esm.js";
import wrapAssembly from "./wrapAssembly.js";
const assembly = {
  instantiateWasm: (imports, done) => {
    done(new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(program, "base64")), imports));
    return {};
  },
};
loadYoga(assembly);
export default wrapAssembly(assembly);
export * from "./generated/YGEnums.js";
`;
