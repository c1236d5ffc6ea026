import { expect } from "vitest";
import { canonicalJson } from "../../src/base/json.ts";
import type { MemoryState } from "../../src/domain/memory.ts";
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
  const snapshot = await store.openSnapshot();
  try {
    const state = foldLog(await collect(snapshot, "event"));
    for (const table of FOLDED) {
      const stored = (await collect(snapshot, table)).map((row) => text(withoutLocal(row)));
      expect(stored.sort(), table).toEqual([...state.rows(table)].map((row) => text(row)).sort());
    }
    await expectDerived(snapshot, state);
  } finally {
    await snapshot.close();
  }
}

async function expectDerived(snapshot: Snapshot, state: MemoryState): Promise<void> {
  for await (const {
    uid,
    open_blockers,
    open_children,
    total_children,
    parked,
    held,
    ready_from,
  } of snapshot.rows("issue")) {
    const issue = state.issue(uid);
    const expected = issue === undefined ? undefined : derivedOf(state, issue, snapshot.timezone);
    expect({ open_blockers, open_children, total_children, parked, held, ready_from }, uid).toEqual(
      expected,
    );
  }
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
