import type { JsonValue } from "../../base/json.ts";
import { spellLabel } from "../../domain/imports/spell-label.ts";
import {
  closedRule,
  createdRule,
  dueRule,
  idRule,
  keepInMetadata,
  leaveOut,
  scheduledRule,
  see,
  titleRule,
  updatedRule,
} from "../neutral/fields.ts";
import type { FieldRule } from "../neutral/record.ts";

/**
 * The priority in svc for each priority of Taskwarrior. Users can configure other priorities; these go to the metadata.
 */
const PRIORITIES: ReadonlyMap<JsonValue, number> = new Map([
  ["H", 1],
  ["M", 2],
  ["L", 3],
]);

const priority: FieldRule = (value, mapped, issue, name) => {
  const found = PRIORITIES.get(value);
  if (found === undefined) return keepInMetadata(value, mapped, issue, name);
  mapped.priority = found;
  return { kind: "mapped", to: `priority ${found}` };
};

/**
 * A rule for `wait`, the time until which a task is hidden: it becomes the scheduled date. Taskwarrior stores
 * `wait:someday` as a time in the year 9999; such an issue is parked.
 */
const wait: FieldRule = (value, mapped, issue, name) => {
  const scheduled = issue.fields["scheduled"];
  if (isText(value) && value.startsWith("9999-")) {
    mapped.metadata["someday"] = true;
    return { kind: "mapped", to: "parked (someday)" };
  }
  if (isText(scheduled) && isText(value) && scheduled >= value) {
    const kept = keepInMetadata(value, mapped, issue, name);
    return { ...kept, why: "the task is scheduled later" };
  }
  return scheduledRule(value, mapped, issue, name);
};

/**
 * A rule for `scheduled`. Taskwarrior offers a task only after both `wait` and `scheduled` have passed, so the later of
 * the two times is used.
 */
const scheduled: FieldRule = (value, mapped, issue, name) => {
  const { wait: until } = issue.fields;
  if (!isText(until) || until.startsWith("9999-") || !isText(value) || until <= value)
    return scheduledRule(value, mapped, issue, name);
  const kept = keepInMetadata(value, mapped, issue, name);
  return { ...kept, why: "the task waits longer" };
};

const project: FieldRule = (value, mapped, issue, name) => {
  const kept = keepInMetadata(value, mapped, issue, name);
  const label = isText(value) ? spellLabel(`project:${value}`) : undefined;
  if (label === undefined) return kept;
  mapped.labels.add(label);
  return { kind: "mapped", to: `label project:<name>, ${kept.to}` };
};

const start: FieldRule = (value, mapped, issue, name) => {
  const kept = keepInMetadata(value, mapped, issue, name);
  if (mapped.status === "closed") return kept;
  mapped.labels.add("status:active");
  return { kind: "mapped", to: `label status:active, ${kept.to}` };
};

function isText(value: JsonValue | undefined): value is string {
  return typeof value === "string";
}

export const FIELD_RULES: Readonly<Record<string, FieldRule>> = {
  uuid: idRule,
  id: leaveOut("a row number, which changes from export to export"),
  urgency: leaveOut("Taskwarrior computes it, and it changes with time"),
  description: titleRule,
  status: see("statuses"),
  tags: see("labels"),
  depends: see("edges"),
  annotations: see("comments"),
  entry: createdRule,
  modified: updatedRule,
  end: closedRule,
  due: dueRule,
  scheduled,
  wait,
  priority,
  project,
  start,
};

export const DATE_FIELDS: ReadonlySet<string> = new Set([
  "entry",
  "modified",
  "end",
  "due",
  "scheduled",
  "wait",
  "until",
  "start",
]);
