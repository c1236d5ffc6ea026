import type { Plugin } from "esbuild";

/** Whoever imports this package gets a module of ours instead, which alone may import the package. */
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
