import { statSync } from "node:fs";
import { realDatabase } from "./real-database.ts";
import type { StorageRoot } from "./storage-root.ts";

/** A database that a start-up option names, or that the daemon serves. */
export interface HostDatabase {
  readonly dialect: "sqlite" | "postgres";
  /** The path of the file, or the URL of the server with credentials. */
  readonly dsn: string;
  /** The DSN as errors show it, without credentials. */
  readonly shown: string;
  readonly schema?: string;
  /** Identifies the database. Different DSNs of the same database have the same identity. */
  readonly identity: string;
}

/**
 * What the storage tools work with. It comes only from the command line, never from a call
 * (docs/contract/tools.md#810-storage).
 */
export interface HostStorage {
  readonly root: StorageRoot;
  readonly active: HostDatabase;
  /** The databases that an import may replace, by alias. */
  readonly targets: ReadonlyMap<string, HostDatabase>;
  readonly timezone: string;
}

/**
 * The suffixes of a database's files: of the database itself, of the files that SQLite keeps beside it, and of the lock
 * of the daemon that serves it.
 */
const SIDECARS = ["", "-wal", "-shm", "-journal", ".daemon.lock"];

/**
 * The suffixes of the temporary files of a first start or an import, and of the database that an import has replaced. A
 * random part follows.
 */
const TEMPORARY_SUFFIXES = [".new-", ".import-", ".before-import-"];

export interface DatabaseFiles {
  readonly paths: ReadonlySet<string>;
  /** A path that begins with one of these is a temporary file, or a database that an import has replaced. */
  readonly prefixes: readonly string[];
  /** The device and inode of each file that exists. */
  readonly nodes: ReadonlySet<string>;
}

export function filesOf(databases: Iterable<HostDatabase>): DatabaseFiles {
  const paths = new Set<string>();
  const nodes = new Set<string>();
  const prefixes: string[] = [];
  for (const { dialect, dsn } of databases) {
    if (dialect !== "sqlite") continue;
    for (const base of new Set([dsn, realDatabase(dsn)])) {
      prefixes.push(...TEMPORARY_SUFFIXES.map((part) => base + part));
      for (const suffix of SIDECARS) {
        paths.add(base + suffix);
        const node = nodeOf(base + suffix);
        if (node !== undefined) nodes.add(node);
      }
    }
  }
  return { paths, prefixes, nodes };
}

/** Whether the file at this path is one of the databases' files. `node` is its device and inode if it exists. */
export function isDatabaseFile(
  { paths, prefixes, nodes }: DatabaseFiles,
  path: string,
  node: string | undefined,
): boolean {
  if (node !== undefined && nodes.has(node)) return true;
  return paths.has(path) || prefixes.some((prefix) => path.startsWith(prefix));
}

export function nodeOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && nodeText(found);
}

export function nodeText({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev}:${ino}`;
}
