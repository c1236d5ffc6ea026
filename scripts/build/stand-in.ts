import type { Plugin } from "esbuild";

/** Replaces a package by the module at `path`. Only that module itself can import the real package. */
export function standIn(name: string, path: string): Plugin {
  return {
    name: `stand-in-for-${name}`,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${name}$`) }, ({ importer }) =>
        importer === path ? undefined : { path },
      );
    },
  };
}
