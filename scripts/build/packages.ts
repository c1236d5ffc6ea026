import { readFile } from "node:fs/promises";
import { sep } from "node:path";
import type { OnLoadArgs, OnLoadResult, Plugin, PluginBuild } from "esbuild";
import { CHANGED_FILES, type Change, type ChangedFile } from "./changed-packages.ts";
import { isWanted } from "./speed.ts";

/**
 * Makes the listed changes to files of packages, and refuses all other changes. Remembers which listed files no bundle
 * has contained so far.
 */
export class PackageTexts {
  readonly #listed: readonly ChangedFile[];
  readonly #unmet: Set<ChangedFile>;

  constructor(listed: readonly ChangedFile[] = isWanted("whole-lines") ? CHANGED_FILES : []) {
    this.#listed = listed;
    this.#unmet = new Set(listed);
  }

  /**
   * Returns the plugin that makes the listed changes, followed by the given plugins. The build fails if a given plugin
   * changes the text of a package.
   */
  guard(plugins: readonly Plugin[]): Plugin[] {
    return [this.#changePlugin(), ...plugins.map(refusingChanges)];
  }

  /** Throws if no bundle contained a listed file, because the change of that file is then useless. */
  assertAllMet(): void {
    for (const { file } of this.#unmet) throw new Error(`no bundle has a file that is ${file}`);
  }

  #changePlugin(): Plugin {
    return {
      name: "changed-packages",
      setup: (build) => {
        for (const entry of this.#listed) {
          build.onLoad({ filter: entry.file }, async ({ path }) => {
            this.#unmet.delete(entry);
            const source = await readFile(path, "utf8");
            return { contents: changed(path, source, entry.changes), loader: "js" };
          });
        }
      },
    };
  }
}

/** Applies the changes to the text of a file. Throws if the file no longer has a text that is to be replaced. */
export function changed(path: string, source: string, changes: readonly Change[]): string {
  return changes.reduce((text, [from, to]) => {
    const isThere = typeof from === "string" ? text.includes(from) : from.test(text);
    if (!isThere) throw new Error(`${path} no longer has ${from}`);
    return typeof from === "string" ? text.replaceAll(from, to) : text.replace(from, to);
  }, source);
}

function refusingChanges({ name, setup }: Plugin): Plugin {
  return {
    name,
    setup: (build) => {
      const onLoad: PluginBuild["onLoad"] = (options, load) => {
        build.onLoad(options, async (args) => refuseChange(name, args, await load(args)));
      };
      const onEnd = (): never => {
        throw new Error(`${name} looks at what is built, where it could change a package's text`);
      };
      return setup({ ...build, onLoad, onEnd });
    },
  };
}

/**
 * The maximum length of a stand-in in characters. A stand-in only loads a package's file, so it is short. A longer text
 * may be a changed copy of the file.
 */
const LONGEST_STAND_IN = 1000;

function refuseChange(
  plugin: string,
  { namespace, path }: OnLoadArgs,
  result: OnLoadResult | null | undefined,
): OnLoadResult | null | undefined {
  const contents = result?.contents;
  const isPackage = namespace === "file" && path.includes(`${sep}node_modules${sep}`);
  const isCopy = namespace !== "file" && (contents?.length ?? 0) > LONGEST_STAND_IN;
  if ((isPackage && contents !== undefined) || isCopy) {
    const cure = "list it in scripts/build/changed-packages.ts, or find a way without";
    throw new Error(`${plugin} changes the text of ${path}: ${cure}`);
  }
  return result;
}
