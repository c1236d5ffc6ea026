import { invariant } from "../../base/invariant.ts";
import { yieldToLoop } from "../../base/yield-to-loop.ts";
import { SvcError } from "../../contract/errors.ts";
import { MAX_FEDERATION_PAYLOAD_BYTES } from "../../contract/limits.ts";
import { type By, federationEnabled, type LastObservation } from "../../domain/drafts/snapshots.ts";
import { touches } from "../../domain/evolve/evolve.ts";
import {
  laterObservation,
  type Snapshot,
  snapshotOfIssue,
  snapshotOfJob,
  snapshotOfRun,
  snapshotOfWorkflow,
} from "../../domain/federation/baseline.ts";
import { byteLength } from "../../domain/text.ts";
import type { CronTable } from "../../store/types/baselines.ts";
import type { Baseline, Reader, Store, Tx } from "../../store/types/store.ts";

/** The snapshots of a project, as far as they could be made before the write. */
export interface PreparedBaseline {
  readonly project_uid: string;
  readonly actor: string;
  /** The last event when the preparation began. What later events changed must be read again. */
  readonly through: number;
  /** The last purge at that time. A later purge makes all snapshots outdated, because a purge writes no event. */
  readonly reset: number;
  /** By the uids of their issues. */
  readonly issues: ReadonlyMap<string, Snapshot>;
  /** The snapshots of workflows, jobs and runs, by the uids of their rows. */
  readonly cron: ReadonlyMap<string, Snapshot>;
  /** The last observation of each run. */
  readonly observations: ReadonlyMap<string, LastObservation>;
}

/** How many issues or other rows are read at a time. */
const SLICE = 500;

/** In the order in which their snapshots are written: a run names its job, and a job its workflow. */
const CRON_TABLES = ["cron_workflows", "cron_jobs", "cron_runs"] as const;

/**
 * Makes the snapshots of a project before the write, so that other writes need not wait for them. It reads in slices,
 * and other writes may change rows between two slices; `beginBaseline` makes the snapshots of these rows again.
 */
export async function prepareBaseline(
  { store }: { readonly store: Pick<Store, "read"> },
  project_uid: string,
  actor: string,
): Promise<PreparedBaseline> {
  const { uids, cronUids, ...start } = await store.read(async (reader) => ({
    through: await reader.events.lastId(),
    reset: await reader.events.resetAfter(),
    uids: await reader.baselines.issueUids(project_uid),
    cronUids: await cronUidsOf(reader, project_uid),
    observations: await reader.baselines.observations(project_uid, 0),
  }));
  const by = { actor };
  const issues = await inSlices(store, uids, async (reader, slice) =>
    issueSnapshots(reader, slice, by),
  );
  const cron = new Map<string, Snapshot>();
  for (const [table, rows] of cronUids) {
    const made = await inSlices(store, rows, async (reader, slice) =>
      cronSnapshots(reader, table, slice, start.observations, by),
    );
    for (const [uid, snapshot] of made) cron.set(uid, snapshot);
  }
  return { project_uid, actor, ...start, issues, cron };
}

/** Reads the rows in slices, and yields to the event loop after each slice. */
async function inSlices(
  store: Pick<Store, "read">,
  uids: readonly string[],
  snapshotsOf: (reader: Reader, slice: readonly string[]) => Promise<readonly Snapshot[]>,
): Promise<ReadonlyMap<string, Snapshot>> {
  const made = new Map<string, Snapshot>();
  for (let at = 0; at < uids.length; at += SLICE) {
    const slice = uids.slice(at, at + SLICE);
    for (const snapshot of await store.read(async (reader) => await snapshotsOf(reader, slice)))
      made.set(uidOf(snapshot), snapshot);
    await yieldToLoop();
  }
  return made;
}

/** A baseline that was begun, and the snapshots that belong to it. */
export interface BegunBaseline {
  readonly baseline: Baseline;
  readonly snapshots: readonly Snapshot[];
  /** The last purge when the baseline was begun. After a later purge, the snapshots may contain what was purged. */
  readonly reset: number;
}

/**
 * Writes the first event of the project's baseline. Returns the baseline, and the snapshots to be written after that
 * event: one for the current state of each issue, workflow, job and run, deleted ones included
 * (docs/contract/federation.md#88-the-baseline). No row of this database changes.
 */
export async function beginBaseline(tx: Tx, prepared: PreparedBaseline): Promise<BegunBaseline> {
  const { project_uid, actor } = prepared;
  const project = await tx.projects.find(project_uid);
  invariant(project !== undefined, "a baseline is of a project that exists");
  const by = { actor };
  const { id: _, ...row } = project;
  const spent = await tx.baselines.spent(project_uid);
  const first = federationEnabled(row, spent, by);
  requireSendable(
    JSON.stringify(first.payload),
    () =>
      `the list of ${spent.purged_uids.length} purged issues and of the short ids of issues that are gone`,
    "move its issues to a new project, and federate that one",
  );
  const changed = await changedSince(tx, prepared);
  const snapshots = [
    ...(await currentIssues(tx, prepared, changed)),
    ...(await currentCron(tx, prepared, changed)),
  ];
  const reset = await tx.events.resetAfter();
  return { baseline: await tx.beginBaseline(first), snapshots, reset };
}

/** The place in the log after which events may have changed the rows that were read. */
type Since = Pick<PreparedBaseline, "through" | "reset">;

/** Throws if one of the project's issues is too large to be sent. Returns the place in the log before the check. */
export async function requireIssuesSendable(
  { store }: { readonly store: Pick<Store, "read"> },
  project_uid: string,
): Promise<Since> {
  const { uids, ...since } = await store.read(async (reader) => ({
    through: await reader.events.lastId(),
    reset: await reader.events.resetAfter(),
    uids: await reader.baselines.issueUids(project_uid),
  }));
  await inSlices(store, uids, async (reader, slice) => {
    await issueSnapshots(reader, slice, { actor: "" });
    return [];
  });
  return since;
}

/** Throws if an issue of the project that was changed after `since` is too large to be sent. */
export async function requireChangedSendable(
  tx: Tx,
  project_uid: string,
  since: Since,
): Promise<void> {
  const changed = await changedSince(tx, since);
  const uids = changed === "all" ? await tx.baselines.issueUids(project_uid) : [...changed];
  for (let at = 0; at < uids.length; at += SLICE) {
    const issues = await tx.issues.many(uids.slice(at, at + SLICE));
    const own = [...issues.values()].filter((issue) => issue.project_uid === project_uid);
    await issueSnapshots(
      tx,
      own.map(({ uid }) => uid),
      { actor: "" },
    );
  }
}

/** The uids of rows that may have changed since the snapshots were made. */
type Changed = ReadonlySet<string> | "all";

/** Returns the current snapshots of all issues. Makes only those again that may have changed. */
async function currentIssues(
  tx: Tx,
  { project_uid, actor, issues }: PreparedBaseline,
  changed: Changed,
): Promise<readonly Snapshot[]> {
  const uids = await tx.baselines.issueUids(project_uid);
  return await currentSnapshots(uids, issues, changed, async (slice) =>
    issueSnapshots(tx, slice, { actor }),
  );
}

/** Returns the current snapshots of all workflows, jobs and runs. Makes only those again that may have changed. */
async function currentCron(
  tx: Tx,
  { project_uid, actor, cron, observations, through }: PreparedBaseline,
  changed: Changed,
): Promise<readonly Snapshot[]> {
  const last = new Map(observations);
  for (const [uid, later] of await tx.baselines.observations(project_uid, through))
    last.set(uid, laterObservation(last.get(uid), later));
  const all: Snapshot[] = [];
  for (const [table, uids] of await cronUidsOf(tx, project_uid)) {
    const make = async (slice: readonly string[]) =>
      cronSnapshots(tx, table, slice, last, { actor });
    all.push(...(await currentSnapshots(uids, cron, changed, make)));
  }
  return all;
}

async function currentSnapshots(
  uids: readonly string[],
  prepared: ReadonlyMap<string, Snapshot>,
  changed: Changed,
  make: (slice: readonly string[]) => Promise<readonly Snapshot[]>,
): Promise<readonly Snapshot[]> {
  const isOutdated = (uid: string): boolean =>
    changed === "all" || changed.has(uid) || !prepared.has(uid);
  const outdated = uids.filter(isOutdated);
  const renewed = new Map<string, Snapshot>();
  for (let at = 0; at < outdated.length; at += SLICE)
    for (const snapshot of await make(outdated.slice(at, at + SLICE)))
      renewed.set(uidOf(snapshot), snapshot);
  return uids.flatMap((uid) => renewed.get(uid) ?? prepared.get(uid) ?? []);
}

function uidOf({ issue_uid, row_uid }: Snapshot): string {
  return issue_uid ?? row_uid ?? "";
}

/** The snapshots of these issues as they are now. Throws if one is too large to be sent. */
export async function issueSnapshots(
  { baselines }: Pick<Reader, "baselines">,
  uids: readonly string[],
  by: By,
): Promise<readonly Snapshot[]> {
  return (await baselines.wholes(uids)).map((whole) => {
    const snapshot = snapshotOfIssue(whole, by);
    const { short_id, uid } = whole.issue;
    requireSendable(
      snapshot.payload,
      () => `issue ${short_id} (${uid}) with its comments and links`,
      "shorten its comments (svc comment edit), or purge the issue (svc purge)",
    );
    return snapshot;
  });
}

async function cronUidsOf({ baselines }: Pick<Reader, "baselines">, project_uid: string) {
  const uids: (readonly [CronTable, readonly string[]])[] = [];
  for (const table of CRON_TABLES) uids.push([table, await baselines.cronUids(project_uid, table)]);
  return uids;
}

async function cronSnapshots(
  { baselines }: Pick<Reader, "baselines">,
  table: CronTable,
  uids: readonly string[],
  observations: ReadonlyMap<string, LastObservation>,
  by: By,
): Promise<readonly Snapshot[]> {
  switch (table) {
    case "cron_workflows":
      return (await baselines.cronRows(table, uids)).map((row) => snapshotOfWorkflow(row, by));
    case "cron_jobs":
      return (await baselines.cronRows(table, uids)).map((row) => snapshotOfJob(row, by));
    case "cron_runs":
      return (await baselines.cronRows(table, uids)).map((row) => {
        const last = observations.get(row.uid);
        invariant(last !== undefined, "a run was observed by an event");
        return snapshotOfRun(row, last, by);
      });
  }
}

/**
 * Returns the uids of the issues, workflows, jobs and runs that events after the snapshots may have changed; "all"
 * after a purge, and after an event that does not name all rows that it changes.
 */
async function changedSince({ events }: Tx, { through, reset }: Since): Promise<Changed> {
  if ((await events.resetAfter()) !== reset) return "all";
  const changed = new Set<string>();
  for (let after = through; ; ) {
    const slice = await events.after(after, SLICE);
    for (const event of slice) {
      const { issues = [], issuesOf = [], authored = [], rows = {} } = touches(event);
      if (issuesOf.length > 0 || authored.length > 0) return "all";
      const cron = CRON_TABLES.flatMap((table) => rows[table] ?? []);
      for (const uid of [event.issue_uid, event.related_issue_uid, ...issues, ...cron])
        if (uid !== undefined) changed.add(uid);
    }
    const last = slice.at(-1);
    if (last === undefined || slice.length < SLICE) return changed;
    after = last.id;
  }
}

/**
 * Throws if a payload is too large for a spoke to read, before it becomes part of a baseline
 * (docs/contract/federation.md#12-limits).
 */
function requireSendable(payload: string, what: () => string, hint: string): void {
  const bytes = byteLength(payload);
  if (bytes <= MAX_FEDERATION_PAYLOAD_BYTES) return;
  const max_bytes = MAX_FEDERATION_PAYLOAD_BYTES;
  const message = `${what()} is ${bytes} bytes long; the maximum for a project that is copied is ${max_bytes}`;
  throw new SvcError("validation", { bytes, max_bytes }, { message, hint });
}
