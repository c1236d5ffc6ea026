import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");

/** Every command uses these. Their requests are about where the command runs, not about its work. */
const COMMON = new Set([
  "src/cli/bases/svc-command.ts",
  "src/cli/bases/base-command.ts",
  "src/cli/session/offline-session.ts",
  "src/cli/session/session.ts",
]);

/**
 * Returns which commands call which routes, read from the sources. A command's file, and the files of `src/cli`,
 * `src/client` and `commands` that it loads, import the routes that they call by name.
 */
export function commandsByRoute(
  routes: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of commandFiles()) {
    for (const route of routesIn(file, routes, new Set())) {
      found.set(route, [...(found.get(route) ?? []), wordsOf(file)]);
    }
  }
  return found;
}

function commandFiles(): readonly string[] {
  return readdirSync(join(ROOT, "commands"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ["commands", ...file.split(sep)].join("/"))
    .sort();
}

function wordsOf(file: string): string {
  const words = file.replace(/^commands\//, "").replace(/(\/index)?\.ts$/, "");
  return words.replaceAll("/", " ");
}

function routesIn(
  file: string,
  routes: ReadonlySet<string>,
  met: Set<string>,
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { names, from } of importsOf(file)) {
    const path = normalize(join(dirname(file), from)).replaceAll("\\", "/");
    if (path.startsWith("src/contract/")) {
      for (const name of names) if (routes.has(name)) found.add(name);
      continue;
    }
    if (!/^(src\/(cli|client)|commands)\//.test(path) || COMMON.has(path) || met.has(path))
      continue;
    met.add(path);
    for (const name of routesIn(path, routes, met)) found.add(name);
  }
  return found;
}

interface Import {
  readonly names: readonly string[];
  readonly from: string;
}

const STATIC = /import\s+(?!type\b)(?:\w+,\s*)?(?:\{([^}]*)\}|\* as \w+|\w+)\s+from\s+"(\.[^"]+)"/g;
const LAZY = /(?:const\s+\{([^}]*)\}\s*=\s*\(?await\s+)?import\(\s*"(\.[^"]+)"\s*,?\s*\)/g;

function importsOf(file: string): readonly Import[] {
  const path = join(ROOT, file);
  if (!existsSync(path)) return [];
  const text = readFileSync(path, "utf8");
  return [...text.matchAll(STATIC), ...text.matchAll(LAZY)].map(([, names = "", from = ""]) => ({
    names: names.split(",").map(
      (name) =>
        name
          .trim()
          .split(/ as |:/)[0]
          ?.trim() ?? "",
    ),
    from,
  }));
}
