import type { JsonObject } from "../../base/json.ts";

export type Role = keyof typeof NAMES;

/**
 * The field names that trackers use for each role. If a file has several of them, the first one listed here is used.
 */
const NAMES = {
  id: ["id", "uid", "key", "ticket", "number"],
  title: ["title", "name", "summary"],
  status: ["status", "state"],
  done: ["done", "completed", "closed"],
  type: ["type", "kind", "issue_type", "category"],
  priority: ["priority", "prio", "severity"],
  labels: ["labels", "tags", "label", "tag", "keywords"],
  owner: ["assignee", "assignees", "assigned_to", "owner", "owners"],
  author: ["author", "created_by", "reporter", "creator"],
  created: ["created_at", "created", "created_date", "created_on", "date"],
  updated: [
    "updated_at",
    "updated",
    "updated_date",
    "updated_on",
    "modified",
    "modified_at",
    "last_modified",
    "lastmod",
  ],
  closed: [
    "closed_at",
    "closed_on",
    "completed_at",
    "completed_date",
    "completed_on",
    "resolved_at",
    "done_at",
  ],
  reason: ["resolution", "closed_reason", "close_reason"],
  due: ["due", "due_date", "due_at", "due_on", "deadline"],
  scheduled: [
    "scheduled",
    "scheduled_on",
    "start_date",
    "defer_until",
    "deferred_until",
    "not_before",
    "wait",
  ],
  milestone: ["milestone"],
  project: ["project"],
  comments: ["comments"],
  blockedBy: ["dependencies", "depends_on", "depends", "deps", "blocked_by", "requires"],
  blocks: ["blocks", "blocking"],
  parent: ["parent", "parent_id", "parent_task_id", "epic"],
  children: ["children", "subtasks", "sub_issues"],
  related: ["related", "related_to", "relates_to", "see_also"],
  duplicateOf: ["duplicate_of"],
} as const;

const ROLE_OF: ReadonlyMap<string, Role> = new Map(
  (Object.keys(NAMES) as Role[]).flatMap((role) =>
    NAMES[role].map((name) => [name, role] as const),
  ),
);

export const KNOWN_NAMES: readonly (readonly [string, Role])[] = [...ROLE_OF];

export function namesOf(role: Role): readonly string[] {
  return NAMES[role];
}

/** The name of the field that is used for a role; `undefined` if no field of this role has a value. */
export function fieldOf(fields: JsonObject, role: Role): string | undefined {
  return NAMES[role].find(
    (name) => fields[name] !== undefined && fields[name] !== null && fields[name] !== "",
  );
}

/**
 * Renames known fields to their usual spelling, so that `createdAt`, `Created-At` and `created at` become `created_at`.
 * Unknown names stay as they are.
 */
export function withKnownNames(fields: JsonObject): JsonObject {
  const known: Record<string, JsonObject[string]> = Object.create(null) as Record<
    string,
    JsonObject[string]
  >;
  for (const [name, value] of Object.entries(fields)) {
    const plain = name
      .trim()
      .replace(/([a-z])([A-Z])/g, "$1_$2")
      .replace(/[-\s]+/g, "_")
      .toLowerCase();
    const taken = ROLE_OF.has(plain) && fields[plain] === undefined && known[plain] === undefined;
    known[taken ? plain : name] = value;
  }
  return { ...known };
}
