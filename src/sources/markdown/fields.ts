import { spellLabel } from "../../domain/imports/spell-label.ts";
import { isDay } from "../files/times.ts";
import {
  authorRule,
  bodyRule,
  closedRule,
  createdRule,
  dueRule,
  idRule,
  keepInMetadata,
  ownerRule,
  parkedIf,
  scheduledRule,
  sectionRule,
  see,
  titleRule,
  updatedRule,
} from "../neutral/fields.ts";
import type { FieldRule } from "../neutral/record.ts";
import { fieldOf, KNOWN_NAMES, namesOf, type Role } from "./roles.ts";
import { nameOf, plainWord, textOf, textsOf } from "./values.ts";
import { priorityOf, reasonOf } from "./words.ts";

/** Names of fields that the reader adds for the text below the front matter. */
export const BODY = "(body)";
export const NOTES = "(notes)";

/**
 * The rule for the status, which the reader has already used. If the issue gets another status than this field says,
 * for example because of the folder of the file, the field itself is kept in the metadata.
 */
const status: FieldRule = (value, mapped, issue, name) => {
  const seen = see("statuses")(value, mapped, issue, name);
  const word = textOf(value) ?? "";
  if (word === issue.status || plainWord(word) === issue.status) return seen;
  return {
    kind: "mapped",
    to: `see statuses, and ${keepInMetadata(value, mapped, issue, name).to}`,
  };
};

const priority: FieldRule = (value, mapped, issue, name) => {
  const found = priorityOf(textOf(value) ?? "");
  if (found === undefined) return keepInMetadata(value, mapped, issue, name);
  mapped.priority = found;
  return { kind: found === value ? "kept" : "mapped", to: `priority ${found}` };
};

const owner: FieldRule = (value, mapped, issue, name) => {
  const [first, ...others] = textsOf(value).map(nameOf);
  if (first === undefined) return { kind: "dropped", why: "it names nobody" };
  const outcome = ownerRule(first, mapped, issue, name);
  if (others.length === 0) return outcome;
  const kept = keepInMetadata(value, mapped, issue, name);
  return { kind: "mapped", to: `owner, and ${kept.to}`, why: "svc has one owner: the first" };
};

const author: FieldRule = (value, mapped, issue, name) => {
  const [first] = textsOf(value);
  if (first === undefined) return { kind: "dropped", why: "it names nobody" };
  return authorRule(nameOf(first), mapped, issue, name);
};

/** The rule for a field such as `completed`, whose value is `true` or the time of the close. */
const done: FieldRule = (value, mapped, issue, name) =>
  (typeof value === "boolean" ? see("statuses") : closedRule)(value, mapped, issue, name);

const reason: FieldRule = (value, mapped, issue, name) => {
  const found = reasonOf(textOf(value) ?? "");
  if (found === undefined || mapped.status === "open")
    return keepInMetadata(value, mapped, issue, name);
  mapped.closedReason = found;
  return { kind: "mapped", to: `closed as ${found}` };
};

/** A rule for a planning date. A day without a time is stored as a day, which svc reads in the daemon's time zone. */
function planned(key: string, rule: FieldRule): FieldRule {
  return (value, mapped, issue, name) => {
    if (!isDay(value)) return rule(value, mapped, issue, name);
    mapped.metadata[key] = value.trim();
    return { kind: "mapped", to: `metadata ${key}` };
  };
}

/**
 * A rule for a value that groups issues, such as a milestone. The value also becomes a label, so that lists can be
 * filtered by it.
 */
function grouped(what: string): FieldRule {
  return (value, mapped, issue, name) => {
    const kept = keepInMetadata(value, mapped, issue, name);
    const word = textOf(value);
    const label = word === undefined ? undefined : spellLabel(`${what}:${word}`);
    if (label === undefined) return kept;
    mapped.labels.add(label);
    return { kind: "mapped", to: `label ${what}:<name>, ${kept.to}` };
  };
}

const RULES_BY_ROLE: Readonly<Record<Role, FieldRule>> = {
  id: idRule,
  title: titleRule,
  status,
  done,
  type: see("types"),
  priority,
  labels: see("labels"),
  owner,
  author,
  created: createdRule,
  updated: updatedRule,
  closed: closedRule,
  reason,
  due: planned("deadline_on", dueRule),
  scheduled: planned("scheduled_on", scheduledRule),
  milestone: grouped("milestone"),
  project: grouped("project"),
  comments: see("comments"),
  blockedBy: see("edges"),
  blocks: see("edges"),
  parent: see("edges"),
  children: see("edges"),
  related: see("edges"),
  duplicateOf: see("edges"),
};

/**
 * The roles for which all fields of a file are used. For example, the role `blockedBy` uses both `depends_on` and
 * `blocked_by`. For any other role, the first field is used and the others go to the metadata.
 */
const MANY: ReadonlySet<Role> = new Set<Role>([
  "blockedBy",
  "blocks",
  "parent",
  "children",
  "related",
  "duplicateOf",
]);

export const FIELD_RULES: Readonly<Record<string, FieldRule>> = {
  ...Object.fromEntries(
    KNOWN_NAMES.map(([name, role]): [string, FieldRule] => [
      name,
      MANY.has(role)
        ? RULES_BY_ROLE[role]
        : (...args) =>
            (fieldOf(args[2].fields, role) === name ? RULES_BY_ROLE[role] : keepInMetadata)(
              ...args,
            ),
    ]),
  ),
  blocked: parkedIf("blocked"),
  draft: parkedIf("draft"),
  template: parkedIf("template"),
  [BODY]: bodyRule,
  [NOTES]: sectionRule(2, "Notes"),
};

export const DATE_FIELDS: ReadonlySet<string> = new Set(
  (["created", "updated", "closed", "due", "scheduled"] as const).flatMap(namesOf),
);
