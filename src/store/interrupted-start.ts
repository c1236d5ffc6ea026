import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type SqliteDatabase from "better-sqlite3";
import { APPLICATION_ID } from "./versions.ts";

const COPIED = ["", "-wal", "-journal"] as const;

/**
 * Tells whether a SQLite file without svc's application id was left by a killed first start of an earlier build;
 * `undefined` if it was not. Such a build wrote the id and the tables in one transaction, so the file has no tables
 * (`empty`), or all of them are in the write-ahead log (`whole`). Works on a copy, since opening a database with SQLite
 * changes its files.
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
