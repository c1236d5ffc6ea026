import {
  authorRule,
  bodyRule,
  closedRule,
  createdRule,
  dueRule,
  idRule,
  leaveOut,
  ownerRule,
  priorityRule,
  scheduledRule,
  sectionRule,
  see,
  titleRule,
  updatedRule,
} from "../neutral/fields.ts";
import type { FieldRule } from "../neutral/record.ts";

const EDGE_COUNT = leaveOut("a count of the edges, which svc counts itself");

export const FIELD_RULES: Readonly<Record<string, FieldRule>> = {
  id: idRule,
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
  "started_at",
  "compacted_at",
  "last_activity",
]);
