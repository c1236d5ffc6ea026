import { Comparison, type Difference } from "../../domain/compare-rows.ts";
import type { Groups } from "../../domain/maps.ts";
import type { MemoryState } from "../../domain/memory.ts";
import { FOLDED, type Rows } from "../../domain/tables/tables.ts";
import { type RequestKey, requestKeys } from "../../store/refold/digests.ts";
import { OWNER_COLUMNS } from "../../store/refold/issue-tables.ts";
import { rowsSharing } from "../../store/refold/stored-rows.ts";
import type { Examination } from "./examination.ts";

const REST = FOLDED.filter((table) => !OWNER_COLUMNS.has(table) && table !== "idempotency");

export interface RestReport {
  readonly rows: number;
  readonly fold: Difference | undefined;
  /** Idempotency keys, each by the uid of the issue whose event contains it. */
  readonly keys: Groups;
}

/**
 * Compares the rows that belong to no issue with the fold of the events that have no issue. Also groups the idempotency
 * keys by issue, because the database has no index for that.
 */
export async function examineRest(
  { snapshot, scratch, step }: Examination,
  state: MemoryState,
): Promise<RestReport> {
  const keys = scratch.groups();
  const comparison = new Comparison(state, scratch);
  let rows = 0;
  const countRow = (): void => {
    rows += 1;
    step(1);
  };
  for (const table of REST) {
    for await (const stored of snapshot.rows(table)) {
      countRow();
      const fold = comparison.meet(table, stored as unknown as Rows[typeof table]);
      if (fold !== undefined) return { rows, fold, keys };
    }
    const fold = comparison.missing(table);
    if (fold !== undefined) return { rows, fold, keys };
  }
  for await (const slice of requestKeys(snapshot.connection)) {
    const ofNoIssue: RequestKey[] = [];
    for (const key of slice) {
      if (key.issue_uid === null) ofNoIssue.push(key);
      else keys.add(key.issue_uid, key.text);
      countRow();
    }
    const stored = await rowsSharing(snapshot.connection, "idempotency", ofNoIssue);
    for (const row of stored) {
      const fold = comparison.meet("idempotency", row);
      if (fold !== undefined) return { rows, fold, keys };
    }
  }
  return { rows, fold: comparison.missing("idempotency"), keys };
}
