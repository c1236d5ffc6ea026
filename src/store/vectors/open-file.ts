import { chmodSync, lstatSync, renameSync, rmSync } from "node:fs";
import type SqliteDatabase from "better-sqlite3";
import { errorCode } from "../../base/error-code.ts";
import { unusedName } from "../../base/files.ts";
import { isDamaged, openError, translated } from "../errors.ts";
import { SqliteConnection } from "../sqlite/connection.ts";
import { prepareFile } from "../sqlite/file.ts";
import { schemaTools } from "../upgrade/migrate.ts";
import { createVectorTables } from "../vector-layout.ts";
import * as statements from "./statements.ts";

/** The bytes `svcv`: the file has vectors of svc. */
const APPLICATION_ID = 0x73766376;

const LAYOUT = 1;

const FILES = ["", "-wal", "-shm"] as const;

/** What the file must belong to. After a restore the same revision of an issue can mean another text. */
export interface Owner {
  readonly instance_uid: string;
  /** The epoch of the log. */
  readonly epoch: string;
}

/** Why a file was not used: what is at the path, or what it contains. */
export type Unusable = "link" | "layout" | "damaged" | "foreign" | "other_database" | "moved";

export interface OpenFile {
  readonly connection: SqliteConnection;
  readonly database: SqliteDatabase.Database;
  /** False if an earlier file is used. */
  readonly isNew: boolean;
  /** Why the earlier file was thrown away. Undefined if it is used, or if there was none. */
  readonly replaced?: Unusable;
}

/**
 * Opens the file with the vectors, and makes it if it is missing. A file that is damaged, of another layout or of
 * another database is deleted and made anew, since its content can be computed again. A database of another program is
 * kept under another name. Of a link only the link is removed.
 */
export async function openVectorsFile(path: string, owner: Owner): Promise<OpenFile> {
  const { default: Database } = await import("better-sqlite3");
  const replaced = removeLink(path) ? "link" : undefined;
  const found = await openKnown(Database, path, owner);
  if (typeof found === "object") return found;
  if (found === "foreign") moveAside(path);
  else removeVectorsFile(path);
  const why = replaced ?? found;
  return {
    ...(await make(Database, path, owner)),
    ...(why === undefined ? {} : { replaced: why }),
  };
}

/**
 * Like `openVectorsFile`, for the case that the file was moved or deleted while it was in use. A file that is at the
 * path now is never used: the log beside it is that of the earlier file.
 */
export async function openAfterMove(path: string, owner: Owner): Promise<OpenFile> {
  for (const suffix of FILES.slice(1)) rmSync(`${path}${suffix}`, { force: true });
  const file = await openVectorsFile(path, owner);
  if (file.isNew) return { ...file, replaced: file.replaced ?? "moved" };
  await file.connection.close();
  removeVectorsFile(path);
  return { ...(await openVectorsFile(path, owner)), replaced: "moved" };
}

/** Deletes the file and what SQLite keeps beside it. No connection may use it. */
export function removeVectorsFile(path: string): void {
  for (const suffix of FILES) rmSync(`${path}${suffix}`, { force: true });
}

/** Keeps a database that is not ours. Throws if something else is at the path, such as a folder. */
function moveAside(path: string): void {
  const aside = unusedName(`${path}.foreign`);
  for (const suffix of FILES) {
    const isThere = lstatSync(`${path}${suffix}`, { throwIfNoEntry: false }) !== undefined;
    if (isThere) renameSync(`${path}${suffix}`, `${aside}${suffix}`);
  }
}

/** Removes a symbolic link, or one of several names of a file. Nothing is written through them. */
function removeLink(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (!found.isSymbolicLink() && !found.isFile()) {
    throw openError(
      "foreign",
      `${path} is not a file, and the vectors of search by meaning belong there`,
      "move it away",
    );
  }
  if (!found.isSymbolicLink() && found.nlink === 1) return false;
  rmSync(path);
  return true;
}

/** Returns the open file, or why it cannot be used. Returns undefined if there is no file. */
async function openKnown(
  Database: typeof SqliteDatabase,
  path: string,
  owner: Owner,
): Promise<OpenFile | Unusable | undefined> {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  chmodSync(path, 0o600);
  const database = new Database(path, { timeout: 5000 });
  try {
    const fault = await faultOf(database, owner);
    if (fault === undefined) return { ...opened(database), isNew: false };
    database.close();
    return fault;
  } catch (error) {
    database.close();
    if (isDamaged(translated(error))) return "damaged";
    if (errorCode(error) === "SQLITE_ERROR") return "layout";
    throw error;
  }
}

/** Also reads from each table, so that a missing one shows. */
async function faultOf(
  database: SqliteDatabase.Database,
  owner: Owner,
): Promise<Unusable | undefined> {
  if (database.pragma("application_id", { simple: true }) !== APPLICATION_ID) {
    const hasTables = database.prepare("select 1 from sqlite_schema limit 1").get() !== undefined;
    return hasTables ? "foreign" : "layout";
  }
  if (database.pragma("user_version", { simple: true }) !== LAYOUT) return "layout";
  const connection = new SqliteConnection(database);
  for (const table of ["vector_generation", "vector_issue", "vector_chunk"])
    await connection.execute(`select 1 from ${table} limit 1`, []);
  for (const [key, value] of Object.entries(owner))
    if ((await statements.findMeta.one(connection, { key }))?.value !== value)
      return "other_database";
  return undefined;
}

async function make(
  Database: typeof SqliteDatabase,
  path: string,
  owner: Owner,
): Promise<OpenFile> {
  prepareFile(path);
  const database = new Database(path, { timeout: 5000 });
  try {
    // Five vectors of 768 dimensions fit in a page.
    database.pragma("page_size = 16384");
    const file = opened(database);
    const { connection } = file;
    await connection.execute("begin immediate", []);
    await createVectorTables(schemaTools(connection));
    for (const [key, value] of Object.entries(owner))
      await statements.putMeta.run(connection, { key, value });
    database.pragma(`application_id = ${APPLICATION_ID}`);
    database.pragma(`user_version = ${LAYOUT}`);
    await connection.execute("commit", []);
    return { ...file, isNew: true };
  } catch (error) {
    database.close();
    throw error;
  }
}

function opened(database: SqliteDatabase.Database): Pick<OpenFile, "connection" | "database"> {
  database.pragma("journal_mode = WAL");
  // A power failure may lose the last vectors. Then they are computed again.
  database.pragma("synchronous = NORMAL");
  database.pragma("secure_delete = ON");
  database.pragma("temp_store = FILE");
  database.pragma("busy_timeout = 0");
  return { database, connection: new SqliteConnection(database) };
}
