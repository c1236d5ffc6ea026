import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import type { Plugin, PluginBuild } from "esbuild";
import { changed } from "./changing.ts";
import { type Group, groupOf, keyOf, LAZY_PACKAGES, packageOf } from "./groups.ts";

/** group -> keys of the modules that other files ask it for. */
export type Wanted = Map<Group, Set<string>>;

export function want(wanted: Wanted, group: Group, key: string): void {
  const keys = wanted.get(group) ?? new Set();
  wanted.set(group, keys.add(key));
}

/**
 * Turns an import of another group's module into a call of that group's file. Where the package
 * is a lazy one the call is put off until a property is read.
 */
export function crossGroup(
  root: string,
  own: Group,
  up: string,
  wanted: Wanted,
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
        const importer = whole ? own : (groupOf(root, args.importer) ?? own);
        const group = groupOf(root, found.path) ?? home(args.importer, importer);
        if (group === own || (whole && (group === "engine" || isSource(root, found.path))))
          return found;
        const key = keyOf(root, found.path);
        want(wanted, group, key);
        return {
          // The ending says that what stands in for the module is CommonJS, whatever the module is.
          path: `${group}!${key}!.cjs`,
          namespace: "ref",
        };
      });
      build.onLoad({ filter: /./, namespace: "ref" }, (args) => {
        const [group = "", key = ""] = args.path.split("!");
        const load = `require(${JSON.stringify(`${up}${group}.cjs`)})(${JSON.stringify(key)})`;
        return { contents: isLazy(key) ? lazily(load) : `module.exports = ${load};`, loader: "js" };
      });
      build.onResolve({ filter: /^\.\.?\/[a-z]+\.cjs$/, namespace: "ref" }, (args) => ({
        path: args.path,
        external: true,
      }));
    },
  };
}

const RESOLVING = Symbol("resolving");

/** A package without a group goes with its importer; what oclif brings goes with oclif's big half. */
function home(importer: string, group: Group): Group {
  return packageOf(importer) === "@oclif/core" ? "oclif" : group;
}

function isLazy(path: string): boolean {
  return LAZY_PACKAGES.has(packageOf(path.startsWith("/") ? path : `/${path}`) ?? "");
}

/** A whole file has copies of the modules it needs. None of them meets its original: the file does all or nothing. */
function isSource(root: string, path: string): boolean {
  return path.startsWith(join(root, "src") + sep);
}

/**
 * esbuild copies the own properties of a CommonJS module when it is imported, so a stand-in without
 * any, whose prototype answers, stays untouched until somebody reads from it. It is a function,
 * because the module's default export may be one.
 */
function lazily(load: string): string {
  return `const load = () => ${load};
const standIn = (...given) => load().default(...given);
delete standIn.name;
delete standIn.length;
module.exports = Object.setPrototypeOf(standIn, new Proxy({}, {
  get: (_, key) => (key === "__esModule" ? undefined : load()[key]),
  has: (_, key) => key in load(),
}));`;
}

/**
 * The driver of SQLite is fifteen small files; in a whole file its JavaScript is part of that file. What finds the
 * native part stays where the package is.
 */
export function ownPackages(): Plugin {
  return {
    name: "own-packages",
    setup(build) {
      build.onResolve({ filter: /^better-sqlite3$/ }, ({ resolveDir }) => ({
        path: createRequire(join(resolveDir, "_")).resolve("better-sqlite3"),
      }));
      build.onLoad({ filter: /[\\/]better-sqlite3[\\/]lib[\\/]binding\.js$/ }, async ({ path }) => {
        const whole = /^.*exports\.getBinding = getBinding;.*$/s;
        const source = await readFile(path, "utf8");
        return { contents: changed(path, source, [[whole, NATIVE_PART]]), loader: "js" };
      });
    },
  };
}

/** Where the package lies in a clone and beside svc is looked at first: Node's own search takes a millisecond. */
const NATIVE_PART = `const { existsSync } = require("node:fs");
const { dirname, join } = require("node:path");
let binding;
exports.getBinding = (given) => {
  binding ??= require(find());
  return binding.getBinding(given);
};
function find() {
  const file = join("better-sqlite3", "lib", "binding.js");
  const own = join(__dirname, "..", "node_modules", file);
  if (existsSync(own)) return own;
  const beside = join(__dirname, "..", "..", file);
  if (existsSync(beside) && beside.includes("node_modules")) return beside;
  return join(dirname(require.resolve("better-sqlite3/package.json")), "lib", "binding.js");
}`;

/**
 * oclif is CommonJS that requires everything at the top of each file. This makes each of those
 * requires happen at the first use of its variable. A mechanical change: every variable that holds
 * a module becomes a getter on one object, every use of it a read of that getter.
 */
export function lazyOclif(): Plugin {
  return {
    name: "lazy-oclif",
    setup(build: PluginBuild) {
      build.onLoad({ filter: /[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/ }, async (args) => ({
        contents: lazyRequires(await readFile(args.path, "utf8")),
        resolveDir: dirname(args.path),
        loader: "js",
      }));
    },
  };
}

const TOP_LEVEL =
  /^(?:const|var) (\w+) = ((?:__importDefault|__importStar)\()?require\(["']([^"']+)["']\)\)?;$/gm;
const EXPORTED = /^exports\.(\w+) = ((?:__importDefault|__importStar)\()require\("([^"]+)"\)\);$/gm;

export function lazyRequires(source: string): string {
  const names: string[] = [];
  const getters: string[] = [];
  let text = source.replaceAll(
    TOP_LEVEL,
    (_all, name: string, wrap: string | undefined, from: string) => {
      names.push(name);
      getters.push(getter(name, wrap, from));
      return "";
    },
  );
  text = text.replaceAll(EXPORTED, (_all, name: string, wrap: string, from: string) => {
    const value = `${wrap}require("${from}"))`;
    return `{ let kept; Object.defineProperty(exports, "${name}", { enumerable: true, get: () => (kept ??= ${value}) }); }`;
  });
  for (const name of names) {
    text = text.replaceAll(new RegExp(`(?<![.\\w$"'])${name}\\b(?!\\s*:)`, "g"), `__lazy.${name}`);
  }
  // src/cli writes to the descriptors; making Node's stream for stdout takes two milliseconds.
  text = text.replace(/^process\.stdout\.on\('error', [\s\S]*?^\}\);$/m, "");
  // The launcher has checked Node's version; this check would load the semver package to do it again.
  text = text.replace(/^checkNodeVersion\(\);$/m, "");
  return `const __lazy = {${getters.join(",")}};\n${text}`;
}

function getter(name: string, wrap: string | undefined, from: string): string {
  const value = wrap === undefined ? `require("${from}")` : `${wrap}require("${from}"))`;
  const kept = `Object.defineProperty(this, "${name}", { value: ${value} }).${name}`;
  return `get ${name}() { return ${kept}; }`;
}

/** Of its own package.json oclif reads the name and the version at every start. */
export function slimPackageJson(): Plugin {
  return {
    name: "slim-package-json",
    setup(build) {
      const own = /[\\/]@oclif[\\/]core[\\/]package\.json$/;
      build.onLoad({ filter: own }, async ({ path }) => {
        const { name, version } = JSON.parse(await readFile(path, "utf8"));
        return { contents: JSON.stringify({ name, version }), loader: "json" };
      });
    },
  };
}

/** zod can say what is wrong in some fifty languages; svc answers with codes and says things itself. */
export function englishZod(): Plugin {
  return {
    name: "english-zod",
    setup(build) {
      build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
        contents: `export { default as en } from "./en.js";`,
        resolveDir: dirname(path),
        loader: "js",
      }));
    },
  };
}

/** `debug` prints nothing unless DEBUG asks for it, and then it is the real one. */
export function quietDebug(): Plugin {
  return {
    name: "quiet-debug",
    setup(build) {
      build.onLoad({ filter: /[\\/]@oclif[\\/]core[\\/]lib[\\/]logger\.js$/ }, async ({ path }) => {
        const source = lazyRequires(await readFile(path, "utf8"));
        const real = "(0, __lazy.debug_1.default)(namespace)";
        const either = `process.env.DEBUG ? ${real} : () => {}`;
        return {
          contents: changed(path, source, [[real, either]]),
          resolveDir: dirname(path),
          loader: "js",
        };
      });
    },
  };
}

/**
 * h3 makes two header objects and a class of Headers when it is imported, and srvx, which it brings,
 * three classes of Fetch: to name any of these loads all of Node's Fetch, a tenth of the daemon's
 * start. The daemon uses h3's router and answers by node:http, so they are made at their first use,
 * which never comes. Only the URL class of srvx is used, and that is a file of its own.
 */
export function fetchlessH3(): Plugin {
  return {
    name: "fetchless-h3",
    setup(build) {
      build.onLoad({ filter: /[\\/]h3[\\/]dist[\\/]response\.mjs$/ }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        const from = createRequire(path).resolve("srvx/generic");
        const url = join(dirname(from), "..", "_chunks", "_url.mjs");
        return {
          contents: changed(path, source, [
            [
              'import { FastResponse, FastURL } from "srvx";',
              `import { FastURL } from ${JSON.stringify(url)};\nimport * as srvx from "srvx";`,
            ],
            ["new FastResponse(", "new srvx.FastResponse("],
            [
              "var FrozenHeaders = class extends Headers {",
              "const frozenHeaders = () => class extends Headers {",
            ],
            [
              "const emptyHeaders = /* @__PURE__ */ new FrozenHeaders(",
              "const makeEmptyHeaders = () => new (frozenHeaders())(",
            ],
            [
              "const jsonHeaders = /* @__PURE__ */ new FrozenHeaders(",
              "const makeJsonHeaders = () => new (frozenHeaders())(",
            ],
            ["headers: emptyHeaders", "headers: makeEmptyHeaders()"],
            ["headers: jsonHeaders", "headers: makeJsonHeaders()"],
            [
              "mergeHeaders(jsonHeaders, error.headers) : new Headers(jsonHeaders)",
              "mergeHeaders(makeJsonHeaders(), error.headers) : new Headers(makeJsonHeaders())",
            ],
          ]),
          resolveDir: dirname(path),
          loader: "js",
        };
      });
    },
  };
}
