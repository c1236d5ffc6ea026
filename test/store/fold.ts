import { expect } from "vitest";
import { canonicalJson } from "../../src/base/json.ts";
import { foldLog, type MemoryState } from "../../src/domain/memory.ts";
import { FoldOrder } from "../../src/domain/order.ts";
import { derivedOf } from "../../src/domain/readiness.ts";
import type { IssueRow } from "../../src/domain/state.ts";
import { FOLDED, type FoldedTable, TABLES } from "../../src/domain/tables/tables.ts";
import type { AdminStore, Snapshot, SnapshotRows } from "../../src/store/admin-store.ts";
import { bordersOf } from "../../src/store/load/hubs-of-copies.ts";

/**
 * Checks that the tables equal the fold of the log, that the derived columns equal what the domain computes from the whole
 * state, and that the index of the events of jobs, workflows and runs is complete.
 */
export async function expectFolded(store: AdminStore): Promise<void> {
  const { stored, folded } = await bothSides(store);
  expect(stored).toEqual(folded);
}

interface Side {
  readonly rows: Readonly<Record<string, readonly string[]>>;
  readonly derived: Readonly<Record<string, unknown>>;
  /** For each project, the numbers of issues by status and by label. */
  readonly counts: Readonly<Record<string, unknown>>;
  /** The jobs, workflows and runs, each with the id of one of its events. */
  readonly cronEvents: readonly string[];
}

/** Returns what the tables contain, and what they should contain by the log and the domain. */
export async function bothSides(
  store: AdminStore,
): Promise<{ readonly stored: Side; readonly folded: Side }> {
  const snapshot = await store.openSnapshot();
  try {
    const events = await collect(snapshot, "event");
    const baselines = events.filter(({ type }) => type === "project.federation_enabled");
    const borders = await bordersOf(snapshot.connection);
    const state = foldLog(new FoldOrder(baselines).sorted(events), borders);
    const rows: Record<string, string[]> = {};
    for (const table of FOLDED) {
      rows[table] = (await collect(snapshot, table))
        .map((row) => text(withoutLocal(table, row)))
        .sort();
    }
    const purged = await purgedUids(snapshot);
    // The log does not say which issues were purged, so its fold lets links to them wait.
    const isKept = (table: FoldedTable, row: object): boolean =>
      table !== "waiting_link" || !Object.values(row).some((value) => purged.has(value));
    const folded = FOLDED.map((table) => {
      const kept = [...state.rows(table)].filter((row) => isKept(table, row));
      return [table, kept.map((row) => text(row)).sort()] as const;
    });
    const issues = await collect(snapshot, "issue");
    return {
      stored: {
        rows,
        derived: byUid(issues, derivedColumns),
        counts: await storedCounts(store),
        cronEvents: await storedCronEvents(snapshot),
      },
      folded: {
        rows: Object.fromEntries(folded),
        derived: byUid([...state.rows("issue")], (issue) =>
          derivedOf(state, issue, snapshot.timezone),
        ),
        counts: foldedCounts(state),
        cronEvents: events
          .filter(({ type }) => type.startsWith("cron."))
          .map(({ id, payload }) => `${(payload as { uid: string }).uid} ${id}`)
          .sort(),
      },
    };
  } finally {
    await snapshot.close();
  }
}

async function storedCronEvents({ connection }: Snapshot): Promise<readonly string[]> {
  const { rows } = await connection.execute<{ row_uid: string; event_id: number }>(
    "select row_uid, event_id from cron_event",
    [],
  );
  return rows.map(({ row_uid, event_id }) => `${row_uid} ${event_id}`).sort();
}

async function purgedUids({ connection }: Snapshot): Promise<ReadonlySet<unknown>> {
  const { rows } = await connection.execute<{ issue_uid: string }>(
    "select issue_uid from purged_issue",
    [],
  );
  return new Set(rows.map(({ issue_uid }) => issue_uid));
}

async function storedCounts(store: AdminStore): Promise<Record<string, unknown>> {
  return await store.read(async (reader) => {
    const counts: Record<string, unknown> = {};
    for (const { uid } of await reader.projects.list(true)) {
      const { open, closed } = (await reader.projects.stats([uid])).get(uid) ?? {};
      counts[uid] = { open, closed, labels: await reader.labels.counts(uid) };
    }
    return counts;
  });
}

function foldedCounts(state: MemoryState): Record<string, unknown> {
  const counts: Record<string, unknown> = {};
  for (const { uid } of state.rows("project")) {
    const live = [...state.rows("issue")].filter(
      (issue) => issue.project_uid === uid && issue.deleted_at === null,
    );
    const ofStatus = (status: string) => live.filter((issue) => issue.status === status).length;
    counts[uid] = {
      open: ofStatus("open"),
      closed: ofStatus("closed"),
      labels: labelsOf(state, live),
    };
  }
  return counts;
}

function labelsOf(state: MemoryState, issues: readonly IssueRow[]): unknown {
  const uids = new Set(issues.map(({ uid }) => uid));
  const sums = new Map<string, number>();
  for (const { issue_uid, label } of state.rows("label")) {
    if (uids.has(issue_uid)) sums.set(label, (sums.get(label) ?? 0) + 1);
  }
  const sorted = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([label, count]) => ({ label, count }));
}

function byUid<T extends { readonly uid: string }>(
  issues: readonly T[],
  of: (issue: T) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(issues.map((issue) => [issue.uid, of(issue)]));
}

function derivedColumns(issue: SnapshotRows["issue"]): unknown {
  const { open_blockers, open_children, total_children, parked, held, ready_from } = issue;
  return { open_blockers, open_children, total_children, parked, held, ready_from };
}

function withoutLocal(table: FoldedTable, row: object): object {
  return Object.fromEntries(
    Object.entries(row).filter(([column]) => Object.hasOwn(TABLES[table].columns, column)),
  );
}

function text(row: object): string {
  return canonicalJson(JSON.parse(JSON.stringify(row)));
}

export async function collect<T extends keyof SnapshotRows>(
  snapshot: Snapshot,
  table: T,
): Promise<SnapshotRows[T][]> {
  const rows: SnapshotRows[T][] = [];
  for await (const row of snapshot.rows(table)) rows.push(row);
  return rows;
}
