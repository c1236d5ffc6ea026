import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "../base/clock.ts";
import { makeFolders } from "../base/folders.ts";
import type { Ids } from "../base/ids.ts";
import { invariant } from "../base/invariant.ts";
import { SvcError } from "../contract/errors.ts";
import { describeDifference } from "../domain/compare-rows.ts";
import type { Maps } from "../domain/maps.ts";
import { withFileLines } from "../sources/files/input.ts";
import { withRegularFile } from "../sources/files/spool.ts";
import type { AdminStore, RestoreRow } from "../store/admin-store.ts";
import { openBackend, openSnapshot, openStore, withUpgraded } from "../store/open.ts";
import { withScratch } from "../store/scratch.ts";
import { realDatabasePath } from "../store/sqlite/database-path.ts";
import { removeLeftTempFiles, removeSecondNames } from "../store/sqlite/first-start.ts";
import { examineDatabase } from "./doctor.ts";
import { lockDatabase } from "./held.ts";
import { mergeRows } from "./merge.ts";
import { readExport } from "./read-export.ts";
import {
  importFileOf,
  removeDatabase,
  removeImportFiles,
  requireSettled,
  swapDatabase,
} from "./swap.ts";
import type { Target } from "./target.ts";
import { refuseUnfinishedAdoption } from "./unfinished-adoption.ts";
import { NO_DIGEST, verifyFile } from "./verify.ts";
import { withoutRecords } from "./without-records.ts";

export interface RestoreInput {
  readonly file: string;
  readonly target: Target;
  /** Allows replacing the target's data (SQLite only). */
  readonly force: boolean;
  /** True if the target keeps its own instance uid. Otherwise it takes the instance uid of the file. */
  readonly newInstance: boolean;
  /** Adds the project of the file to the data of the target. The file must have exactly one project. */
  readonly merge: boolean;
  readonly actor: string;
  /**
   * Reports progress. `all` is twice the number of lines, because the checks before the import read each line two
   * times.
   */
  readonly progress?: (done: number, all: number) => void;
}

export interface RestoreResult {
  readonly projects: number;
  readonly issues: number;
  readonly comments: number;
  readonly links: number;
  readonly events: number;
  readonly skipped_links: number;
  /** Path of the replaced database, which is kept. */
  readonly kept_old?: string;
  readonly warnings?: readonly string[];
}

export interface RestoreDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timezone: string;
}

/**
 * Imports an export of svc (docs/contract/command-line.md#63-restoring). The file must pass the checks of `svc backup
 * verify` before the target is opened for writing. A refused import leaves the target unchanged.
 */
export async function restoreFile(deps: RestoreDeps, input: RestoreInput): Promise<RestoreResult> {
  return await withRegularFile(input.file, async (file) => {
    const { target } = input;
    const source = { ...input, file };
    if (target.dialect === "postgres") return await restoreInto(deps, source, intoStore);
    // Verify the file first if there is no database. If the file is refused, nothing must be created, not even a lock
    // file.
    const found = existsSync(target.dsn) ? undefined : await verifyInput(source);
    makeFolders(dirname(target.dsn));
    const dsn = realDatabasePath(target.dsn);
    const lock = lockDatabase(dsn);
    try {
      const real = { ...source, target: { ...target, dsn } };
      // A killed process may have left temporary files and second hard links. Remove them: a database that has a second
      // hard link is not opened for writing.
      removeLeftTempFiles(dsn);
      removeSecondNames(dsn);
      if (input.merge) return await restoreInto(deps, real, intoStore, found);
      removeImportFiles(dsn);
      if (!input.force && !(await isEmpty(real.target))) throw notEmpty();
      return await restoreInto(deps, real, intoNewFile, found);
    } finally {
      lock.release();
    }
  });
}

interface VerifiedInput extends RestoreInput {
  /** The SHA-256 of the file when it was verified. The import fails if the file has changed since then. */
  readonly sha256: string;
}

type RestoreFunction = (deps: RestoreDeps, input: VerifiedInput) => Promise<RestoreResult>;

type Verified = Awaited<ReturnType<typeof verifyFile>>;

/** Restores the file. Verifies it first, unless the caller passes the result of an earlier check in `found`. */
async function restoreInto(
  deps: RestoreDeps,
  input: RestoreInput,
  restore: RestoreFunction,
  found?: Verified,
): Promise<RestoreResult> {
  const { sha256, digest } = found ?? (await verifyInput(input));
  const result = await restore(deps, { ...input, sha256 });
  return digest ? result : { ...result, warnings: [NO_DIGEST, ...(result.warnings ?? [])] };
}

/**
 * Verifies the file. If the check fails, the error also says that nothing was written, because the user may have wanted
 * to replace a database.
 */
async function verifyInput({ file, progress }: RestoreInput): Promise<Verified> {
  return await verifyFile(file, progress).catch((error: unknown) => {
    if (!(error instanceof SvcError)) throw error;
    const { code, data, hint } = error;
    const message = `${error.message}; nothing was written`;
    throw new SvcError(code, data, {
      message,
      cause: error,
      ...(hint === undefined ? {} : { hint }),
    });
  });
}

async function intoStore(deps: RestoreDeps, input: VerifiedInput): Promise<RestoreResult> {
  const store = await openStore({ ...deps, ...input.target });
  try {
    return await fillStore(deps, input, store);
  } finally {
    await store.close();
  }
}

/** Builds the new database beside the old one, and replaces the old one when the new one is complete. */
async function intoNewFile(deps: RestoreDeps, input: VerifiedInput): Promise<RestoreResult> {
  const { dsn } = input.target;
  const temp = importFileOf(dsn);
  try {
    const target = { ...input.target, dsn: temp };
    const result = await intoStore(deps, { ...input, target });
    await requireSound(target);
    const drop = await isEmpty(input.target).catch(() => false);
    if (await closeInOrder(deps, input.target)) await requireSettled(dsn);
    const check = async (): Promise<void> => (await openSnapshot(input.target)).close();
    const old = await swapDatabase(temp, dsn, { now: deps.clock.now(), drop, check });
    return old === undefined ? result : { ...result, kept_old: old };
  } finally {
    await removeDatabase(temp);
  }
}

/**
 * Restores a verified file into a SQLite file that does not exist yet, and examines that file as `svc doctor` does.
 * Returns the first fault. The caller removes the file.
 */
export async function restoreNew(
  deps: RestoreDeps,
  input: Pick<VerifiedInput, "file" | "sha256" | "target">,
): Promise<string | undefined> {
  await intoStore(deps, { ...input, force: false, newInstance: false, merge: false, actor: "svc" });
  return await faultOf(input.target);
}

/**
 * Checks the new database before it replaces the old one. The imported file was verified, so only a fault in writing
 * the database can make this check fail.
 */
async function requireSound(target: Target): Promise<void> {
  const fault = await faultOf(target);
  invariant(fault === undefined, `a restored database is sound: ${fault}; nothing was replaced`);
}

async function faultOf(target: Target): Promise<string | undefined> {
  const { integrity, changedEvents, brokenChain, fold, derived } = await examineDatabase(target);
  const difference = fold ?? derived;
  const described = difference === undefined ? undefined : describeDifference(difference);
  return integrity[0] ?? changedEvents[0] ?? brokenChain[0] ?? described;
}

async function fillStore(
  deps: RestoreDeps,
  input: VerifiedInput,
  store: AdminStore,
): Promise<RestoreResult> {
  return await withScratch(async (scratch) => await fillFrom(deps, input, store, scratch));
}

async function fillFrom(
  deps: RestoreDeps,
  input: VerifiedInput,
  store: AdminStore,
  maps: Maps,
): Promise<RestoreResult> {
  const hash = createHash("sha256");
  return await withFileLines(
    input.file,
    async (lines) => {
      const read = await readExport(lines, store.schemaVersion, maps);
      const counts = { projects: 0, issues: 0, comments: 0, links: 0, events: 0 };
      const same = requireUnchanged(
        withoutRecords(read.rows, maps),
        () => hash.digest("hex") === input.sha256,
      );
      const keepOwn = input.newInstance || input.merge || read.instanceUid === undefined;
      const whole = keepOwn ? refuseUnfinishedAdoption(same) : same;
      const rows = input.merge ? mergeRows(whole, await mergeInto(deps, input, store)) : whole;
      const { skippedLinks } = await store.restore(countRows(rows, counts), {
        renumber: input.merge,
        ...(keepOwn ? {} : { instanceUid: read.instanceUid }),
      });
      const warnings = input.newInstance ? await unsentOf(store) : [];
      return {
        ...counts,
        links: counts.links - skippedLinks,
        skipped_links: skippedLinks,
        ...(warnings.length === 0 ? {} : { warnings }),
      };
    },
    (bytes) => hash.update(bytes),
  );
}

/** At most this many bindings are searched for unsent changes. */
const MOST_BINDINGS = 1000;

/**
 * Returns a warning for each copy of a hub's project that has changes which the hub has not received. A hub accepts
 * changes only from the identity that is enrolled. So the changes are sent only after this daemon has joined again with
 * its new identity.
 */
async function unsentOf(store: AdminStore): Promise<readonly string[]> {
  return await store.read(async ({ unfolded, federation, projects }) => {
    const bindings = await unfolded.list("federation_binding", MOST_BINDINGS);
    const warnings: string[] = [];
    for (const { role, push_enabled, push_cursor_event_id: after, project_uid } of bindings) {
      if (role !== "spoke" || push_enabled === 0) continue;
      const since = await federation.firstUnsentAt({ project: project_uid, after });
      if (since === undefined) continue;
      const name = (await projects.find(project_uid))?.name ?? project_uid;
      warnings.push(
        `the hub of ${name} has not got changes made here since ${since}: they are sent once this daemon, with its new identity, has joined again with svc federation join --push`,
      );
    }
    return warnings;
  });
}

/**
 * Yields the rows. Throws `conflict` after the last one if the file has changed since it was verified. All rows are
 * written in one transaction, so the error rolls all of them back.
 */
async function* requireUnchanged(
  rows: AsyncIterable<RestoreRow>,
  isSame: () => boolean,
): AsyncGenerator<RestoreRow> {
  yield* rows;
  if (isSame()) return;
  throw new SvcError(
    "conflict",
    {},
    {
      message: "the file changed while it was imported; nothing was written",
      hint: "import it again when nobody writes to it",
    },
  );
}

async function mergeInto(deps: RestoreDeps, { actor }: RestoreInput, store: AdminStore) {
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

async function* countRows(
  rows: AsyncIterable<RestoreRow>,
  counts: Record<(typeof COUNTED)[keyof typeof COUNTED], number>,
): AsyncGenerator<RestoreRow> {
  for await (const row of rows) {
    const { table } = row;
    if (table in COUNTED) counts[COUNTED[table as keyof typeof COUNTED]] += 1;
    yield row;
  }
}

/** Whether the database has no projects and no events, so that it can be replaced without a loss. */
async function isEmpty(target: Target): Promise<boolean> {
  if (!existsSync(target.dsn)) return true;
  return await withUpgraded(target, async (readable) => await holdsNothing(readable));
}

async function holdsNothing(place: Pick<Target, "dsn">): Promise<boolean> {
  const snapshot = await openSnapshot(place);
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
 * Writes the WAL of a database back into its main file, so that the main file alone is complete. Returns false and does
 * not change the file if it cannot be opened as a database of svc, because it is damaged, newer or of another program.
 */
async function closeInOrder(deps: RestoreDeps, target: Target): Promise<boolean> {
  if (!existsSync(target.dsn)) return true;
  const backend = await openBackend({ ...deps, ...target }).catch(() => undefined);
  if (backend === undefined) return false;
  try {
    // Closing alone does not write the WAL back while another process has the file open.
    await (await backend.writer()).execute("pragma wal_checkpoint(truncate)", []);
  } finally {
    await backend.close();
  }
  return true;
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
