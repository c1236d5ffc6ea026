import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import { SvcError } from "../contract/errors.ts";
import { realDatabasePath } from "../store/database-path.ts";
import { openSnapshot, openStore } from "../store/open.ts";
import type { RestoreRow, WholeStore } from "../store/whole.ts";
import { lockDatabase } from "./held.ts";
import { withFileLines } from "./input.ts";
import { mergeRows } from "./merge.ts";
import { readExport } from "./read-export.ts";
import { removeDatabase, swapDatabase } from "./swap.ts";
import type { Target } from "./target.ts";

export interface RestoreInput {
  readonly file: string;
  readonly target: Target;
  /** The target's data may be replaced (SQLite only). */
  readonly force: boolean;
  /** The target keeps the identity it has; else it takes over the file's. */
  readonly newInstance: boolean;
  /** The file's one project joins the data that is there. */
  readonly merge: boolean;
  readonly actor: string;
}

export interface RestoreResult {
  readonly projects: number;
  readonly issues: number;
  readonly comments: number;
  readonly links: number;
  readonly events: number;
  readonly skipped_links: number;
  /** Where the replaced file still is: it was no database of svc, or something else was reading it. */
  readonly kept_old?: string;
}

export interface RestoreDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timezone: string;
}

/** Imports an export of svc's own (facts cli-and-config 6.3). Whatever is refused, the target is as it was. */
export async function restoreFile(deps: RestoreDeps, input: RestoreInput): Promise<RestoreResult> {
  if (input.target.dialect === "postgres") return await intoStore(deps, input);
  await mkdir(dirname(input.target.dsn), { recursive: true, mode: 0o700 });
  const target = { ...input.target, dsn: realDatabasePath(input.target.dsn) };
  const lock = lockDatabase(target.dsn);
  try {
    const real = { ...input, target };
    return input.merge ? await intoStore(deps, real) : await intoNewFile(deps, real);
  } finally {
    lock.release();
  }
}

async function intoStore(deps: RestoreDeps, input: RestoreInput): Promise<RestoreResult> {
  const store = await openStore({ ...deps, ...input.target });
  try {
    return await fill(deps, input, store);
  } finally {
    await store.close();
  }
}

/** The new database is made beside the old one and takes its place when it is whole. */
async function intoNewFile(deps: RestoreDeps, input: RestoreInput): Promise<RestoreResult> {
  const { dsn } = input.target;
  if (!input.force && !(await isEmpty(input.target))) throw notEmpty();
  const draft = `${dsn}.import-${process.pid}`;
  try {
    const target = { ...input.target, dsn: draft };
    const result = await intoStore(deps, { ...input, target });
    const keepOld = !(await closeInOrder(deps, input.target));
    const check = async (): Promise<void> => (await openSnapshot(input.target)).close();
    const old = await swapDatabase(draft, dsn, { keepOld, check });
    return old === undefined ? result : { ...result, kept_old: old };
  } finally {
    await removeDatabase(draft);
  }
}

async function fill(
  deps: RestoreDeps,
  input: RestoreInput,
  store: WholeStore,
): Promise<RestoreResult> {
  return await withFileLines(input.file, async (lines) => {
    const read = await readExport(lines, store.schemaVersion);
    const counts = { projects: 0, issues: 0, comments: 0, links: 0, events: 0 };
    const rows = input.merge
      ? mergeRows(read.rows, await mergeInto(deps, input, store))
      : read.rows;
    const keepOwn = input.newInstance || input.merge || read.instanceUid === undefined;
    const { skippedLinks } = await store.restore(counted(rows, counts), {
      renumber: input.merge,
      ...(keepOwn ? {} : { instanceUid: read.instanceUid }),
    });
    return { ...counts, links: counts.links - skippedLinks, skipped_links: skippedLinks };
  });
}

async function mergeInto(deps: RestoreDeps, { actor }: RestoreInput, store: WholeStore) {
  const names = await store.read(async ({ projects }) => {
    const all = [...(await projects.list(false)), ...(await projects.list(true))];
    return new Set(all.map(({ name }) => name));
  });
  return { ...deps, names, actor, instanceUid: store.instanceUid };
}

const COUNTED = {
  project: "projects",
  issue: "issues",
  comment: "comments",
  link: "links",
  event: "events",
} as const;

async function* counted(
  rows: AsyncIterable<RestoreRow>,
  counts: Record<(typeof COUNTED)[keyof typeof COUNTED], number>,
): AsyncGenerator<RestoreRow> {
  for await (const row of rows) {
    const { table } = row;
    if (table in COUNTED) counts[COUNTED[table as keyof typeof COUNTED]] += 1;
    yield row;
  }
}

/** A database without a project and without an event holds nothing that could be lost. */
async function isEmpty(target: Target): Promise<boolean> {
  if (!existsSync(target.dsn)) return true;
  const snapshot = await openSnapshot(target);
  try {
    for (const table of ["project", "event"] as const) {
      for await (const _ of snapshot.rows(table)) return false;
    }
    return true;
  } finally {
    await snapshot.close();
  }
}

/**
 * Closing a database writes back what its log holds, so that the main file is all there is. False when the file
 * could not be opened as one of ours: it is broken, or something else altogether, and must not be thrown away.
 */
async function closeInOrder(deps: RestoreDeps, target: Target): Promise<boolean> {
  if (!existsSync(target.dsn)) return true;
  const store = await openStore({ ...deps, ...target }).catch(() => undefined);
  await store?.close();
  return store !== undefined;
}

function notEmpty(): SvcError {
  return new SvcError(
    "conflict",
    {},
    {
      message: "the target has data",
      hint: "--force replaces it, --merge adds a file of one project to it",
    },
  );
}
