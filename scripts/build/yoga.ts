import type { Plugin } from "esbuild";
import { changing } from "./changing.ts";

/**
 * Ink's layout engine is compiled behind an await at module level, which only ES modules have, and theirs is a slow
 * start. Small as it is, it is compiled at once instead; then all of the screen can be one CommonJS file.
 */
export function yogaAtOnce(): Plugin {
  return changing("yoga-at-once", [
    [/[\\/]yoga-layout[\\/]dist[\\/]src[\\/]index\.js$/, [[/^.*loadYoga.*$/s, AT_ONCE]]],
    [/[\\/]yoga-wasm-base64-esm\.js$/, [[PROGRAM, `"$1"$3\nexport const program = "$2";`]]],
  ]);
}

/** The program itself, and all that follows it. */
const PROGRAM = /"(data:application\/octet-stream;base64,)([A-Za-z0-9+/=]{1000,})"(.*)$/s;

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
