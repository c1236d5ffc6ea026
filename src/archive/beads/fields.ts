import type { Instant } from "../../base/clock.ts";
import { isPlainObject, type JsonValue } from "../../base/json.ts";
import type { Outcome } from "../neutral/account.ts";
import { spellLabel } from "../neutral/labels.ts";
import {
  cutBytes,
  cutCodePoints,
  MAX_ACTOR_BYTES,
  MAX_TITLE,
  storableText,
} from "../neutral/text.ts";
import { type BeadsIssue, optionalInstant } from "./record.ts";

export interface MappedIssue {
  title: string;
  /** Parts of the body by position: the full title, the description, then the sections in order. */
  readonly body: Map<number, string>;
  readonly labels: Set<string>;
  readonly metadata: Record<string, JsonValue>;
  status: "open" | "closed";
  author: string | undefined;
  owner: string | undefined;
  priority: number | undefined;
  closedAt: Instant | undefined;
}

export type FieldRule = (value: JsonValue, mapped: MappedIssue, issue: BeadsIssue) => Outcome;

/**
 * The rule for each field. Fields without a rule are kept in the metadata under `beads.<name>`, so nothing is lost.
 * Labels, edges, comments, status and type are handled separately.
 */
export const FIELD_RULES: Readonly<Record<string, FieldRule>> = {
  id: (value, mapped) => {
    mapped.metadata["beads.id"] = value;
    return { kind: "mapped", to: "import source, metadata beads.id" };
  },
  _type: () => ({ kind: "dropped", why: "says only that the record is an issue" }),
  title: readTitle,
  description: (value, mapped) => bodyPart(mapped, 1, undefined, value),
  design: (value, mapped) => bodyPart(mapped, 2, "Design", value),
  acceptance_criteria: (value, mapped) => bodyPart(mapped, 3, "Acceptance criteria", value),
  notes: (value, mapped) => bodyPart(mapped, 4, "Notes", value),
  status: () => ({ kind: "mapped", to: "see statuses" }),
  issue_type: () => ({ kind: "mapped", to: "see types" }),
  labels: () => ({ kind: "mapped", to: "see labels" }),
  dependencies: () => ({ kind: "mapped", to: "see edges" }),
  comments: () => ({ kind: "mapped", to: "see comments" }),
  priority: readPriority,
  assignee: (value, mapped) => readActor(mapped, "owner", "assignee", value),
  created_by: (value, mapped) => readActor(mapped, "author", "created_by", value),
  created_at: (value) => dateOutcome("created_at", value),
  updated_at: readUpdatedAt,
  closed_at: readClosedAt,
  due_at: (value, mapped) => planningDate(mapped, "deadline_on", "due_at", value),
  defer_until: (value, mapped) => planningDate(mapped, "scheduled_on", "defer_until", value),
  dependency_count: () => counted("edges"),
  dependent_count: () => counted("edges"),
  comment_count: () => counted("comments"),
};

/** Fields that hold times; the account lists them as dates. */
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

/**
 * Keeps a field that has no rule in the metadata. False and zero are dropped, because the format writes them for
 * fields that were never set.
 */
export function keepInMetadata(name: string, value: JsonValue, mapped: MappedIssue): Outcome {
  if (value === false || value === 0)
    return { kind: "dropped", why: "the value of an unset field" };
  mapped.metadata[`beads.${name}`] = value;
  return { kind: "mapped", to: `metadata beads.${name}` };
}

/** Values that the format writes for unset fields; they are not counted in the account. */
export function isEmptyValue(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  if (isPlainObject(value)) return Object.keys(value).length === 0;
  // Go's zero time, in any time zone.
  return (
    typeof value === "string" && /^000[01]-/.test(value) && optionalInstant(value) === undefined
  );
}

/**
 * A status without a counterpart becomes a label. `deferred` without a return date also parks the issue, so that it
 * is not ready.
 */
export function applyStatus(issue: BeadsIssue, mapped: MappedIssue): Outcome {
  if (issue.status === "open") return { kind: "kept", to: "open" };
  if (issue.status === "closed") {
    mapped.status = "closed";
    mapped.closedAt ??= issue.updatedAt;
    return { kind: "kept", to: "closed" };
  }
  const label = `status:${spellLabel(issue.status) ?? "other"}`.slice(0, 64);
  mapped.labels.add(label);
  if (label === "status:other") mapped.metadata["beads.status"] = issue.status;
  if (issue.status !== "deferred" || mapped.metadata["scheduled_on"] !== undefined) {
    return { kind: "mapped", to: `open, label ${label}`, why: "svc has no such status" };
  }
  mapped.metadata["someday"] = true;
  return { kind: "mapped", to: `open, label ${label}, parked`, why: "svc has no such status" };
}

export function applyType(issue: BeadsIssue, mapped: MappedIssue): Outcome {
  const label = `type:${spellLabel(issue.type) ?? "other"}`.slice(0, 64);
  mapped.labels.add(label);
  if (label === "type:other") mapped.metadata["beads.issue_type"] = issue.type;
  return { kind: "mapped", to: `label ${label}` };
}

function readTitle(value: JsonValue, mapped: MappedIssue): Outcome {
  const whole = storableText(wording(value));
  const cut = cutCodePoints(whole, MAX_TITLE);
  mapped.title = cut.trim() === "" ? NO_TITLE : cut;
  if (cut.trim() === "") return { kind: "mapped", to: `title "${NO_TITLE}"`, why: "it is blank" };
  if (cut === whole) return { kind: "kept", to: "title" };
  mapped.body.set(0, `Full title: ${whole}`);
  return {
    kind: "mapped",
    to: `title, first ${MAX_TITLE} characters`,
    why: "longer than svc allows; the whole title opens the body",
  };
}

export const NO_TITLE = "(no title)";

function bodyPart(
  mapped: MappedIssue,
  rank: number,
  heading: string | undefined,
  value: JsonValue,
): Outcome {
  const text = storableText(wording(value));
  mapped.body.set(rank, heading === undefined ? text : `## ${heading}\n\n${text}`);
  if (text !== value)
    return { kind: "mapped", to: "body", why: "characters that no text may hold became U+FFFD" };
  return heading === undefined
    ? { kind: "kept", to: "body" }
    : { kind: "mapped", to: `body, section "${heading}"` };
}

function readPriority(value: JsonValue, mapped: MappedIssue): Outcome {
  const priority = Number(wording(value));
  if (Number.isInteger(priority) && priority >= 0 && priority <= 4) {
    mapped.priority = priority;
    return { kind: "kept", to: "priority" };
  }
  mapped.metadata["beads.priority"] = value;
  return { kind: "mapped", to: "metadata beads.priority", why: "not a whole number from 0 to 4" };
}

function readActor(
  mapped: MappedIssue,
  to: "owner" | "author",
  name: string,
  value: JsonValue,
): Outcome {
  const whole = storableText(wording(value)).trim();
  const cut = cutBytes(whole, MAX_ACTOR_BYTES).trim();
  if (cut === "") return { kind: "dropped", why: "it is blank" };
  mapped[to] = cut;
  if (cut === value) return { kind: name === to ? "kept" : "mapped", to };
  mapped.metadata[`beads.${name}`] = value;
  return {
    kind: "mapped",
    to: `${to}, and metadata beads.${name}`,
    why: `not a name of svc as it was (trimmed, at most ${MAX_ACTOR_BYTES} bytes)`,
  };
}

/** `value` must be a valid instant; svc stores milliseconds, so the outcome reports finer digits as lost. */
function dateOutcome(to: string, value: JsonValue): Outcome {
  const finer = /\.\d{4,}/.test(wording(value));
  return { kind: "kept", to: finer ? `${to}, to the millisecond` : to };
}

/** In svc a comment updates its issue, so `updated_at` is never before the last comment. */
export function lastChange(issue: BeadsIssue): Instant {
  return issue.comments.reduce(
    (last, { createdAt }) => (createdAt !== undefined && createdAt > last ? createdAt : last),
    issue.updatedAt,
  );
}

function readUpdatedAt(value: JsonValue, _mapped: MappedIssue, issue: BeadsIssue): Outcome {
  if (lastChange(issue) === issue.updatedAt) return dateOutcome("updated_at", value);
  return {
    kind: "mapped",
    to: "updated_at, moved to the last comment",
    why: "in svc a comment updates its issue",
  };
}

function readClosedAt(value: JsonValue, mapped: MappedIssue, issue: BeadsIssue): Outcome {
  const instant = optionalInstant(value);
  if (issue.status === "closed" && instant !== undefined && instant !== null) {
    mapped.closedAt = instant;
    return dateOutcome("closed_at", value);
  }
  mapped.metadata["beads.closed_at"] = value;
  const why = instant === null ? "not an instant" : "the issue is not closed";
  return { kind: "mapped", to: "metadata beads.closed_at", why };
}

function planningDate(mapped: MappedIssue, key: string, name: string, value: JsonValue): Outcome {
  const instant = optionalInstant(value);
  if (instant === null || instant === undefined) return keepInMetadata(name, value, mapped);
  mapped.metadata[key] = instant;
  return { kind: "mapped", to: `metadata ${key}` };
}

/** Any value as text; a value that is not a string becomes JSON. */
function wording(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function counted(what: string): Outcome {
  return { kind: "dropped", why: `a count of the ${what}, which svc counts itself` };
}
