import { chmodSync, closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type SqliteDatabase from "better-sqlite3";
import { makeFolders } from "../../base/folders.ts";
import { openError } from "../errors.ts";
import { APPLICATION_ID, requireKnown } from "../upgrade/versions.ts";
import { interruptedFirstStart } from "./interrupted-start.ts";

const HEADER_BYTES = 100;
const PAGES_AT = 28;
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;
const MAGIC = "SQLite format 3\0";

/**
 * Throws unless the file is a database of svc with a schema version that this code knows. Changes no byte of the file.
 * Returns "empty" for a file without tables, which a killed first start leaves.
 */
export function requireOwn(
  open: typeof SqliteDatabase,
  path: string,
  version: number,
): "empty" | "whole" {
  const header = readHeader(path);
  if (header === undefined || header.length === 0) return "empty";
  const isSqlite =
    header.length === HEADER_BYTES && header.toString("latin1", 0, MAGIC.length) === MAGIC;
  if (isSqlite && header.readUInt32BE(APPLICATION_ID_AT) === APPLICATION_ID) {
    requireKnown(path, header.readUInt32BE(USER_VERSION_AT), version);
    return "whole";
  }
  const found = isSqlite && isBlank(header) ? interruptedFirstStart(open, path) : undefined;
  if (found !== undefined) return found;
  throw openError(
    "foreign",
    `${path} is not a database of svc`,
    "name another file in [storage] dsn or SVC_DSN",
  );
}

/**
 * Refuses a file with several hard links. SQLite derives the log's name from the database's name, so daemons that use
 * different names would write separate logs and not see each other's locks.
 */
export function requireOneName(path: string): void {
  const names = statSync(path, { throwIfNoEntry: false })?.nlink ?? 1;
  if (names <= 1) return;
  throw openError(
    "linked",
    `${path} has ${names} names (hard links), through which two daemons could write it without seeing each other`,
    `stop the daemons of its other names, then keep one name: find <folders> -samefile ${path} lists them, and rm removes a name without the data`,
  );
}

function isBlank(header: Buffer): boolean {
  return (
    header.readUInt32BE(PAGES_AT) <= 1 &&
    header.readUInt32BE(USER_VERSION_AT) === 0 &&
    header.readUInt32BE(APPLICATION_ID_AT) === 0
  );
}

function readHeader(path: string): Buffer | undefined {
  if (!existsSync(path)) return undefined;
  const file = openSync(path, "r");
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    return header.subarray(0, readSync(file, header, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

/** Creates the folder and the file with access for the owner only; SQLite gives `-wal` and `-shm` the same mode. */
export function prepareFile(path: string): void {
  makeFolders(dirname(path));
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
}
