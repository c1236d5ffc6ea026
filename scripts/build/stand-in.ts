import type { Plugin } from "esbuild";

/** Replaces a package for all its importers by a module of ours, which alone may import the package. */
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
