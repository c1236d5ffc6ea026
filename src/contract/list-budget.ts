import { takeRank } from "./take-order.ts";

/** The fields that the parameter `fields` of issue lists may name. A test keeps the list equal to the schema. */
export const ISSUE_FIELDS = [
  "id",
  "uid",
  "project_id",
  "project_uid",
  "short_id",
  "qualified_id",
  "title",
  "body",
  "status",
  "closed_reason",
  "owner",
  "priority",
  "author",
  "metadata",
  "revision",
  "recurrence_id",
  "recurrence_uid",
  "occurrence_key",
  "created_at",
  "updated_at",
  "closed_at",
  "deleted_at",
  "labels",
  "parent",
  "synced",
  "external_root",
  "blocks",
  "blocked_by",
  "related",
  "blocked",
  "child_counts",
  "project_name",
] as const;

/** Default `max_bytes` of commands that print JSON. */
export const JSON_BUDGET_BYTES = 64 * 1024;
/** Default `max_bytes` of commands that print text for people and agents. */
export const TEXT_BUDGET_BYTES = 8 * 1024;
/** The size that one row of a list for agents is expected to have. */
export const AGENT_ROW_BYTES = 150;

/** The fields of an issue that decide its position in a list. */
export interface PlacedIssue {
  readonly id: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly priority?: number | null | undefined;
}

/** The order of a list: last changed first, last created first, or best to take first. */
export type PlaceOrder = "recent" | "created" | "take";

/** Returns the position of an issue in a list, as text. A request sends it as `after` to get the next page. */
export function placeText(issue: PlacedIssue, order: PlaceOrder): string {
  const at = order === "created" ? issue.created_at : issue.updated_at;
  const rank = order === "take" ? `_${takeRank(issue)}` : "";
  return `${at}_${issue.id}${rank}`;
}
