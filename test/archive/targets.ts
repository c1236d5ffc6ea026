import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { withDigest } from "../../src/archive/digest.ts";
import { examineStorage } from "../../src/archive/doctor.ts";
import { type ExportOptions, exportLines } from "../../src/archive/export.ts";
import type { Target } from "../../src/archive/target.ts";
import { writeFileWhole } from "../../src/archive/write-file.ts";
import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import { openSnapshot, openStore } from "../../src/store/open.ts";
import { postgresDsn } from "../support/postgres.ts";

export const ids = systemIds();
export const deps = { clock: systemClock, ids, timezone: "UTC" };
export type Dialect = Target["dialect"];

export async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "svc-archive-"));
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes an empty database; on PostgreSQL, an empty schema of the test's database. */
export async function freshTarget(dialect: Dialect, folder: string): Promise<Target> {
  if (dialect === "sqlite") return { dialect, dsn: join(folder, `${ids.ulid()}.db`) };
  return { dialect, dsn: await testDatabase(), schema: `s${ids.ulid().toLowerCase()}` };
}

let database: { readonly test: unknown; readonly dsn: Promise<string> } | undefined;

async function testDatabase(): Promise<string> {
  const test = expect.getState().currentTestName;
  const known =
    database !== undefined && database.test === test ? database : { test, dsn: postgresDsn() };
  database = known;
  return await known.dsn;
}

export async function withStore<T>(
  target: Target,
  work: (store: AdminStore) => Promise<T>,
): Promise<T> {
  const store = await openStore({ ...deps, ...target });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

export async function exportTo(
  target: Target,
  path: string,
  options: Partial<ExportOptions> = {},
): Promise<string> {
  const snapshot = await openSnapshot(target);
  try {
    await writeFileWhole(path, exportLines(snapshot, { includeDeleted: true, ...options }));
  } finally {
    await snapshot.close();
  }
  return await readFile(path, "utf8");
}

/** Returns the text of an export with changed lines, with the digest that fits them. */
export async function digestAnew(text: string): Promise<string> {
  const lines = text.split("\n").filter((line) => line !== "");
  const before = lines.filter((line) => !line.startsWith('{"kind":"digest"'));
  const made: string[] = [];
  for await (const line of withDigest(recordsOf(before))) made.push(`${line}\n`);
  return made.join("");
}

async function* recordsOf(lines: readonly string[]) {
  for (const text of lines) yield { kind: /^\{"kind":"(\w+)"/.exec(text)?.[1] ?? "", text };
}

export async function examine(target: Target) {
  const snapshot = await openSnapshot(target);
  try {
    return await examineStorage(snapshot);
  } finally {
    await snapshot.close();
  }
}

export const plain = { force: false, newInstance: false, merge: false, actor: "a" };
