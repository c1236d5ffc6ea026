import type { JsonValue } from "../../base/json.ts";
import {
  authorRule,
  bodyRule,
  closedRule,
  createdRule,
  dueRule,
  idRule,
  leaveOut,
  ownerRule,
  parkedIf,
  priorityRule,
  scheduledRule,
  sectionRule,
  see,
  titleRule,
  updatedRule,
} from "../neutral/fields.ts";
import { park } from "../neutral/park.ts";
import type { FieldRule } from "../neutral/record.ts";

/**
 * The rule for the id. An id with `-wisp-` belongs to a step of a workflow. beads does not offer such a step as work,
 * even if the step lacks the field `ephemeral`.
 */
const id: FieldRule = (value, mapped, issue, name) => {
  const kept = idRule(value, mapped, issue, name);
  if (!issue.id.includes("-wisp-") || issue.fields["ephemeral"] === true) return kept;
  return { ...kept, to: `${kept.to}${park(mapped, "id of a wisp")}` };
};

/**
 * The name of a field that the reader adds. Its value is the latest time until which a parent of the issue is deferred.
 */
export const PARENT_DEFERRED = "(defer_until of its parent)";

/** The rule for the field `PARENT_DEFERRED`. beads does not offer the children of a deferred issue. */
const parentDeferred: FieldRule = (value, mapped, issue, name) => {
  const own = mapped.metadata["scheduled_on"];
  if (isText(own) && isText(value) && own >= value)
    return { kind: "dropped", why: "the issue is deferred longer itself" };
  return scheduledRule(value, mapped, issue, name);
};

function isText(value: JsonValue | undefined): value is string {
  return typeof value === "string";
}

const EDGE_COUNT = leaveOut("a count of the edges, which svc counts itself");

export const FIELD_RULES: Readonly<Record<string, FieldRule>> = {
  id,
  _type: leaveOut("says only that the record is an issue"),
  title: titleRule,
  description: bodyRule,
  design: sectionRule(2, "Design"),
  acceptance_criteria: sectionRule(3, "Acceptance criteria"),
  notes: sectionRule(4, "Notes"),
  status: see("statuses"),
  issue_type: see("types"),
  labels: see("labels"),
  dependencies: see("edges"),
  comments: see("comments"),
  priority: priorityRule,
  assignee: ownerRule,
  created_by: authorRule,
  created_at: createdRule,
  updated_at: updatedRule,
  closed_at: closedRule,
  due_at: dueRule,
  defer_until: scheduledRule,
  [PARENT_DEFERRED]: parentDeferred,
  ephemeral: parkedIf("ephemeral"),
  pinned: parkedIf("pinned"),
  is_template: parkedIf("template"),
  dependency_count: EDGE_COUNT,
  dependent_count: EDGE_COUNT,
  comment_count: leaveOut("a count of the comments, which svc counts itself"),
};

export const DATE_FIELDS: ReadonlySet<string> = new Set([
  "created_at",
  "updated_at",
  "closed_at",
  "deleted_at",
  "due_at",
  "defer_until",
  PARENT_DEFERRED,
  "started_at",
  "compacted_at",
  "last_activity",
]);
