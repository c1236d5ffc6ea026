import { lstatSync, type Stats } from "node:fs";
import { belongsTo, isTrustedOwner, type PathFault, pathFault } from "./path-fault.ts";
import { configPath } from "./paths.ts";
import { fileError, parseToml, readIfThere, type TomlTable } from "./toml.ts";

export interface ConfigFile {
  readonly path: string;
  readonly table: TomlTable;
  /** Why other users could have written the file. If this is set, settings with `guarded` (settings.ts) are ignored. */
  readonly fault: PathFault | undefined;
}

/** The hint for a home in which other users can put files. */
export const MOVE_HOME = "set SVC_HOME to a folder that only you can enter";

/** Reads `config.toml`, which may be missing. Throws if it belongs to another user. */
export async function readConfigFile(home: string): Promise<ConfigFile> {
  const path = configPath(home);
  const text = readIfThere(path, (found) => {
    requireTrustedOwner(path, lstatSync(path));
    requireTrustedOwner(path, found);
  });
  if (text === undefined) return { path, table: {}, fault: undefined };
  return { path, table: await parseToml(text, path), fault: pathFault(path, MOVE_HOME) };
}

function requireTrustedOwner(path: string, found: Stats): void {
  if (process.getuid === undefined || isTrustedOwner(found)) return;
  const hint = `remove it, or ${MOVE_HOME}`;
  throw fileError(path, `does not count: it ${belongsTo(found)}`, undefined, hint);
}
