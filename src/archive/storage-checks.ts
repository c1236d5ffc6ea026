import { systemClock } from "../base/clock.ts";
import { type Difference, describeDifference } from "../domain/compare-rows.ts";
import type { Finding } from "../domain/finding.ts";
import { databaseChecks } from "../engines/checks/all.ts";
import { isUnanswered } from "../store/errors.ts";
import { MIGRATIONS } from "../store/migrations/index.ts";
import { openReading, openSnapshot, withUpgraded } from "../store/open.ts";
import type { Reader } from "../store/types/store.ts";
import { latest } from "../store/upgrade/migrate.ts";
import { sessionText, type WritingSession } from "../store/write-lock/holder.ts";
import { newestBackup } from "./backup.ts";
import { circlesFound } from "./circle-check.ts";
import { examineDatabase, type ReportProgress, type StorageReport } from "./doctor.ts";
import type { Target } from "./target.ts";

type Check<C> = (id: string, work: () => Promise<Finding> | Finding) => Promise<C>;

export interface StorageChecks {
  readonly seen?: ReportProgress;
  /** The folder of the backups. If data is damaged, the checks propose to restore the newest of them. */
  readonly backups?: string;
  /** Folds everything again, even what an earlier run has verified. */
  readonly full?: boolean;
}

/**
 * Runs the checks of an existing database. If the database cannot be opened, the only result is a failed check that
 * says so.
 */
export async function storageChecks<C>(
  target: Target,
  check: Check<C>,
  { seen, backups, full = false }: StorageChecks = {},
): Promise<readonly C[]> {
  let report: StorageReport | undefined;
  let older: number | undefined;
  const opened = await check("storage.open", async () => {
    report = await withUpgraded(target, async (readable, from) => {
      older = from;
      const memory = { quick: !full, keeps: from === undefined };
      return await examineDatabase({ ...target, ...readable }, seen, memory);
    });
    const { events, rows, unchanged = 0, unreadable } = report;
    const all = `${count(events, "event")}, ${count(rows, "row")}`;
    const summary =
      unchanged === 0
        ? all
        : `${all}; ${count(unchanged, "issue")} as they were when they were last verified`;
    return {
      status: "ok",
      summary:
        unreadable === undefined ? summary : "the database opens, but not all of it can be read",
    };
  });
  if (report === undefined) return [opened];
  const { integrity, changedEvents, brokenChain, fold, derived, events, unreadable } = report;
  const fix = await fixOf(target, unreadable, backups);
  const ask = untilSilent();
  const writes =
    target.dialect === "postgres"
      ? [
          await check(
            "storage.writes",
            ask(async () => writesFound(await writerOf(target))),
          ),
        ]
      : [];
  const schema = older === undefined ? [] : [await check("storage.schema", notUpgraded(older))];
  const jobs =
    older === undefined
      ? [
          await check(
            "storage.circles",
            ask(async () => await readingOf(target, circlesFound)),
          ),
          ...(await engineChecks(target, check, ask)),
        ]
      : [];
  return [
    opened,
    ...writes,
    ...schema,
    await check("storage.integrity", () =>
      findingOfFaults(integrity, "the database's own check found no fault", fix),
    ),
    await check("storage.log", () => {
      if (unreadable !== undefined) return { status: "failed", summary: unreadable, fix };
      return findingOfFaults(
        changedEvents,
        `all ${count(events, "event")} match their hashes`,
        fix,
      );
    }),
    await check("storage.chain", () => {
      if (unreadable !== undefined) return NOT_COMPARED;
      return findingOfFaults(brokenChain, "no event was removed, added or exchanged", fix);
    }),
    await check("storage.fold", () => {
      if (unreadable !== undefined) return NOT_COMPARED;
      return findingOfDifference(fold, "the tables match the log", fix);
    }),
    await check("storage.readiness", () => {
      if (unreadable !== undefined) return NOT_COMPARED;
      if (fold !== undefined)
        return { status: "failed", summary: "not checked, because the tables differ from the log" };
      return findingOfDifference(derived, "readiness and counts match the rules", fix);
    }),
    ...jobs,
  ];
}

async function engineChecks<C>(
  target: Target,
  check: Check<C>,
  ask: (question: Query) => Query,
): Promise<readonly C[]> {
  const found: C[] = [];
  for (const { id, look } of databaseChecks())
    found.push(
      await check(
        id,
        ask(async () => await readingOf(target, look)),
      ),
    );
  return found;
}

type Query = () => Promise<Finding>;

/**
 * Returns a function that wraps queries to the database. If the database does not answer one query, the later queries
 * are skipped, because each of them would wait ten seconds.
 */
function untilSilent(): (question: Query) => Query {
  let isSilent = false;
  return (question) => async () => {
    if (isSilent) return { status: "skipped", summary: "unknown: the database did not answer" };
    try {
      return await question();
    } catch (error) {
      isSilent = isUnanswered(error);
      throw error;
    }
  };
}

async function writerOf({ dsn, schema = "svc" }: Target): Promise<WritingSession | undefined> {
  const { writingSession } = await import("../store/postgres/writer.ts");
  return await writingSession({ dsn, schema });
}

/**
 * A session that holds the write lock and has done nothing for this many seconds probably belongs to a program that
 * hangs or has ended.
 */
const STUCK_S = 10;

/**
 * Returns a failure if a session does nothing but has held the write lock for `STUCK_S` seconds or longer. Returns a
 * warning if a session has been writing for that long.
 */
export function writesFound(writing: WritingSession | undefined): Finding {
  if (writing === undefined) return { status: "ok", summary: "no write is under way" };
  const { pid, working, seconds } = writing;
  const details = { ...writing };
  const who = sessionText(writing);
  if (seconds < STUCK_S) return { status: "ok", summary: `${who} is writing`, details };
  const lasting = count(seconds, "second");
  if (working)
    return {
      status: "warning",
      summary: `${who} has been writing for ${lasting}; other writes wait`,
      details,
      fix: "wait for its end if it is an import, a merge or a migration",
    };
  return {
    status: "failed",
    summary: `${who} has held the write lock for ${lasting} and does nothing; other writes wait`,
    details,
    fix: `its program hangs or lost its connection; end the session on the server: select pg_terminate_backend(${pid})`,
  };
}

function notUpgraded(from: number): () => Finding {
  const to = latest(MIGRATIONS);
  return () => ({
    status: "warning",
    summary: `the tables are of storage schema ${from} and not upgraded yet; the checks ran on an upgraded copy`,
    details: { schema: from, required: to },
    fix: `start a daemon, which upgrades them to ${to} and keeps a copy of the old database beside it: svc daemon start`,
  });
}

async function readingOf(
  target: Target,
  work: (reader: Reader) => Promise<Finding>,
): Promise<Finding> {
  const reading = await openReading(target, systemClock);
  try {
    return await reading.read(work);
  } finally {
    await reading.close();
  }
}

const NOT_COMPARED = {
  status: "failed",
  summary: "not checked, because some rows cannot be read",
} as const;

/**
 * Says how to repair a fault. An export and an import rebuild the indexes and the full-text index. Rows that cannot be
 * read can come only from a backup.
 */
async function fixOf(
  target: Target,
  unreadable: string | undefined,
  backups: string | undefined,
): Promise<string> {
  if (unreadable === undefined)
    return "stop the daemon, then rebuild the database from its rows: svc backup --output good.jsonl, then svc import --force --input good.jsonl; if either is refused, restore the last good backup by the same import";
  const newest = backups === undefined ? undefined : await newestOf(target, backups);
  const restore = "svc daemon stop, then svc import --force --input";
  if (newest !== undefined)
    return `restore the newest backup: ${restore} ${newest}; the damaged database is kept beside it`;
  const where = backups === undefined ? "" : ` (${backups} has none of this database)`;
  return `restore a backup${where}: ${restore} <file>; the damaged database is kept beside it`;
}

async function newestOf(target: Target, backups: string): Promise<string | undefined> {
  const snapshot = await openSnapshot(target);
  await snapshot.close();
  return (await newestBackup(backups, snapshot.instanceUid))?.path;
}

function findingOfFaults(faults: readonly string[], good: string, fix: string): Finding {
  const [first] = faults;
  if (first === undefined) return { status: "ok", summary: good };
  const more = faults.length === 1 ? "" : ` (and ${faults.length - 1} more)`;
  return { status: "failed", summary: `${first}${more}`, details: { faults }, fix };
}

function findingOfDifference(
  difference: Difference | undefined,
  good: string,
  fix: string,
): Finding {
  if (difference === undefined) return { status: "ok", summary: good };
  const summary = describeDifference(difference);
  return { status: "failed", summary, details: { ...difference }, fix };
}

function count(amount: number, what: string): string {
  return `${amount} ${what}${amount === 1 ? "" : "s"}`;
}
