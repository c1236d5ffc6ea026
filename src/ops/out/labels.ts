import type { LabelRow } from "../../domain/state.ts";
import type { StoredIssue } from "../../store/types/rows.ts";

/** A label of an issue, as answers contain it. */
export function labelOut(row: LabelRow, issue: StoredIssue) {
  return { issue_id: issue.id, label: row.label, author: row.author, created_at: row.created_at };
}
