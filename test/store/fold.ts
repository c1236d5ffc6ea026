import { expect } from "vitest";
import { canonicalJson } from "../../src/base/json.ts";
import { foldLog } from "../../src/domain/memory.ts";
import { derivedOf } from "../../src/domain/readiness.ts";
import type { Snapshot, SnapshotRows, Store } from "../../src/store/types.ts";

const FOLDED = [
  "project",
  "alias",
  "issue",
  "label",
  "link",
  "comment",
  "idempotency",
  "import",
] as const;

/** The tables are the fold of the log, and the derived columns are what the domain computes from the whole state. */
export async function expectFolded(store: Store): Promise<void> {
  const { stored, folded } = await bothSides(store);
  expect(stored).toEqual(folded);
}

interface Side {
  readonly rows: Readonly<Record<string, readonly string[]>>;
  readonly derived: Readonly<Record<string, unknown>>;
}

/** What the tables hold, and what the log and the domain say they should hold. */
export async function bothSides(
  store: Store,
): Promise<{ readonly stored: Side; readonly folded: Side }> {
  const snapshot = await store.openSnapshot();
  try {
    const state = foldLog(await collect(snapshot, "event"));
    const rows: Record<string, string[]> = {};
    for (const table of FOLDED) {
      rows[table] = (await collect(snapshot, table)).map((row) => text(withoutLocal(row))).sort();
    }
    const folded = FOLDED.map(
      (table) => [table, [...state.rows(table)].map((row) => text(row)).sort()] as const,
    );
    const issues = await collect(snapshot, "issue");
    return {
      stored: { rows, derived: byUid(issues, derivedColumns) },
      folded: {
        rows: Object.fromEntries(folded),
        derived: byUid([...state.rows("issue")], (issue) =>
          derivedOf(state, issue, snapshot.timezone),
        ),
      },
    };
  } finally {
    await snapshot.close();
  }
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

const LOCAL = new Set([
  "id",
  "open_blockers",
  "open_children",
  "total_children",
  "parked",
  "held",
  "ready_from",
]);

function withoutLocal(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !LOCAL.has(column)));
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
