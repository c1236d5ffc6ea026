import { join, sep } from "node:path";
import type { Plugin } from "esbuild";
import { type Group, groupOf, keyOf, LAZY_PACKAGES, packageOf } from "./groups.ts";
import { isWanted } from "./speed.ts";

/** For each group, the keys of its modules that files of other groups import. Each group is one file of dist/. */
export type ExportedKeys = Map<Group, Set<string>>;

export function want(wanted: ExportedKeys, group: Group, key: string): void {
  const keys = wanted.get(group) ?? new Set();
  wanted.set(group, keys.add(key));
}

/**
 * Replaces each import of a module from another group by a call of the function that the other group's file exports.
 * For a package that is loaded late (`LAZY_PACKAGES`), the call is made only when a property of the module is read.
 */
export function crossGroup(
  root: string,
  own: Group,
  up: string,
  wanted: ExportedKeys,
  whole: boolean,
): Plugin {
  return {
    name: "cross-group",
    setup(build) {
      build.onResolve({ filter: /./ }, async (args) => {
        if (args.pluginData === RESOLVING || args.namespace === "ref") return undefined;
        if (args.kind === "entry-point") return undefined;
        const found = await build.resolve(args.path, {
          kind: args.kind,
          importer: args.importer,
          resolveDir: args.resolveDir,
          pluginData: RESOLVING,
        });
        if (found.external || found.errors.length > 0 || found.namespace !== "file") return found;
        // Modules in this folder, such as late.cjs, have no state. So each file of dist/ gets its own copy of them.
        if (found.path.startsWith(import.meta.dirname + sep)) return found;
        const importer = whole ? own : (groupOf(root, args.importer) ?? own);
        const group = groupOf(root, found.path) ?? groupOfImporter(args.importer, importer);
        if (group === own || (whole && (group === "engine" || isSource(root, found.path))))
          return found;
        const key = keyOf(root, found.path);
        want(wanted, group, key);
        return {
          // The ending .cjs tells esbuild that the stand-in is CommonJS, even if the module itself is an ES module.
          path: `${group}!${key}!.cjs`,
          namespace: "ref",
        };
      });
      build.onLoad({ filter: /./, namespace: "ref" }, (args) => {
        const [group = "", key = ""] = args.path.split("!");
        const load = `require(${JSON.stringify(`${up}${group}.cjs`)})(${JSON.stringify(key)})`;
        return {
          contents: isLazy(key) ? lazyLoader(load) : `module.exports = ${load};`,
          loader: "js",
        };
      });
      build.onResolve({ filter: /^\.\.?\/[a-z-]+\.cjs$/, namespace: "ref" }, (args) => ({
        path: args.path,
        external: true,
      }));
    },
  };
}

const RESOLVING = Symbol("resolving");

/**
 * The group of a module that has no group of its own: the group of its importer, or `oclif` if oclif imports the
 * module.
 */
function groupOfImporter(importer: string, group: Group): Group {
  return packageOf(importer) === "@oclif/core" ? "oclif" : group;
}

function isLazy(path: string): boolean {
  return (
    isWanted("late-packages") &&
    LAZY_PACKAGES.has(packageOf(path.startsWith("/") ? path : `/${path}`) ?? "")
  );
}

/**
 * Whether a module is svc's own. The built files fast-path.cjs and daemon.cjs contain copies of such modules. That is
 * safe, because a copy passes no objects of its classes to an original.
 */
function isSource(root: string, path: string): boolean {
  return path.startsWith(join(root, "src") + sep);
}

/**
 * The text of a stand-in that loads a module when something of it is used. esbuild copies the own properties of a
 * CommonJS module when it is imported, so the stand-in has none: its prototype loads the module when a property is
 * read. The stand-in is a function, because the module's default export may be one. The loaded module is kept, because
 * each further load would copy all its properties.
 */
function lazyLoader(load: string): string {
  return `let loaded;
const load = () => (loaded ??= ${load});
const standIn = (...given) => load().default(...given);
delete standIn.name;
delete standIn.length;
module.exports = Object.setPrototypeOf(standIn, new Proxy({}, {
  get: (_, key) => (key === "__esModule" ? undefined : load()[key]),
  has: (_, key) => key in load(),
}));`;
}
