import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type SqliteDatabase from "better-sqlite3";
import { APPLICATION_ID } from "../upgrade/versions.ts";

const COPIED = ["", "-wal", "-journal"] as const;

/**
 * Recognizes a SQLite file whose first start was killed, made by an earlier build of svc. That build wrote svc's
 * application id and all tables in one transaction, so the main file lacks the id.
 * - Returns `empty` if the transaction was not committed: the file has no tables.
 * - Returns `whole` if the transaction is in the write-ahead log.
 * - Returns `undefined` for any other file.
 *
 * Works on a copy, since opening a database with SQLite changes its files.
 */
export function interruptedFirstStart(
  open: typeof SqliteDatabase,
  path: string,
): "empty" | "whole" | undefined {
  const folder = mkdtempSync(join(tmpdir(), "svc-look-"));
  try {
    const copy = join(folder, "copy");
    for (const companion of COPIED)
      if (existsSync(path + companion)) copyFileSync(path + companion, copy + companion);
    return stateOf(new open(copy));
  } catch (error) {
    if (error instanceof open.SqliteError) return undefined;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function stateOf(copy: SqliteDatabase.Database): "empty" | "whole" | undefined {
  try {
    const value = (pragma: string): number => Number(copy.pragma(pragma, { simple: true }));
    if (value("application_id") === APPLICATION_ID) return "whole";
    if (value("application_id") !== 0 || value("user_version") !== 0) return undefined;
    return copy.prepare("select 1 from sqlite_schema").get() === undefined ? "empty" : undefined;
  } finally {
    copy.close();
  }
}
