import type { Instant } from "../../base/clock.ts";
import { isPlainObject, type JsonValue } from "../../base/json.ts";
import { isInvisible } from "../../base/visible.ts";
import { spellLabel } from "../../domain/imports/spell-label.ts";
import {
  cutBytes,
  cutCodePoints,
  MAX_ACTOR_BYTES,
  MAX_TITLE,
  storableText,
} from "../../domain/imports/storable-text.ts";
import type { Outcome } from "./account.ts";
import type { Mapping, StatusRule, TypeRule } from "./mapping.ts";
import { park, putOff } from "./park.ts";
import { type FieldRule, type MappedIssue, optionalInstant, type SourceIssue } from "./record.ts";

export const keepInMetadata: FieldRule = (value, mapped, _issue, name) => {
  const key = `${mapped.prefix}.${name}`;
  mapped.metadata[key] = value;
  return { kind: "mapped", to: `metadata ${key}` };
};

/**
 * A rule for a field that the reader has already used, such as the labels. The import's report lists its values in a
 * section of their own.
 */
export function see(section: "statuses" | "types" | "labels" | "edges" | "comments"): FieldRule {
  const outcome: Outcome = { kind: "mapped", to: `see ${section}` };
  if (section !== "statuses" && section !== "types") return () => outcome;
  return (value, mapped, issue, name) => {
    // A value that cannot be spelt as a label becomes the label `type:other` or `status:other`. So keep the value
    // itself in the metadata.
    if (spellLabel(wording(value)) === undefined) keepInMetadata(value, mapped, issue, name);
    return outcome;
  };
}

export function leaveOut(why: string): FieldRule {
  return () => ({ kind: "dropped", why });
}

export const idRule: FieldRule = (value, mapped) => {
  const key = `${mapped.prefix}.id`;
  mapped.metadata[key] = value;
  return { kind: "mapped", to: `import source, metadata ${key}` };
};

export const createdRule: FieldRule = (value) => dateOutcome("created_at", value);

export const updatedRule: FieldRule = (value, _mapped, issue) => {
  if (lastChange(issue) === issue.updatedAt) return dateOutcome("updated_at", value);
  return {
    kind: "mapped",
    to: "updated_at, moved to the last comment",
    why: "in svc a comment updates its issue",
  };
};

/**
 * True for a value that trackers write for a field that was never set. The import's report does not count such values.
 */
export function isEmptyValue(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  if (isPlainObject(value)) return Object.keys(value).length === 0;
  // The zero time of the language Go, in any time zone.
  return (
    typeof value === "string" && /^000[01]-/.test(value) && optionalInstant(value) === undefined
  );
}

export function applyStatus(
  { status }: SourceIssue,
  mapped: MappedIssue,
  rule: StatusRule | undefined,
  { parksOtherStatuses }: Mapping,
): Outcome {
  const why = rule === undefined ? "svc has no such status" : rule.why;
  const label = rule === undefined ? labelOf("status", status) : rule.label;
  if (label !== undefined) mapped.labels.add(label);
  let to: string = mapped.status;
  if (mapped.status === "closed") {
    mapped.closedReason ??= rule?.reason;
    if (rule?.reason !== undefined) to += ` as ${rule.reason}`;
  }
  if (label !== undefined) to += `, label ${label}`;
  const notOffered = rule === undefined ? parksOtherStatuses : rule.notOffered;
  if (notOffered === true) to += park(mapped, `status ${status}`);
  else if (rule?.someday === true && mapped.metadata["scheduled_on"] === undefined)
    to += putOff(mapped, `status ${status}`);
  const kind = to === status ? "kept" : "mapped";
  return why === undefined ? { kind, to } : { kind, to, why };
}

export function applyType(
  type: string,
  mapped: MappedIssue,
  rule: Exclude<TypeRule, "ignore"> | undefined,
): Outcome {
  const label = rule?.label ?? labelOf("type", type);
  mapped.labels.add(label);
  const parked = rule?.notOffered === true ? park(mapped, `type ${type}`) : "";
  return { kind: "mapped", to: `label ${label}${parked}` };
}

/**
 * A rule for a field whose value `true` means that the source does not offer the issue as work. If the issue is parked,
 * the metadata contains `word` as the reason.
 */
export function parkedIf(word: string): FieldRule {
  return (value, mapped, issue, name) => {
    if (value === false) return { kind: "dropped", why: "it says no" };
    const kept = keepInMetadata(value, mapped, issue, name);
    return value === true ? { kind: "mapped", to: `${kept.to}${park(mapped, word)}` } : kept;
  };
}

function labelOf(what: string, word: string): string {
  return `${what}:${spellLabel(word) ?? "other"}`.slice(0, 64);
}

export const NO_TITLE = "(no title)";

export const titleRule: FieldRule = (value, mapped) => {
  const whole = storableText(wording(value));
  const cut = cutCodePoints(whole, MAX_TITLE);
  mapped.title = isInvisible(cut) ? NO_TITLE : cut;
  if (isInvisible(cut)) return { kind: "mapped", to: `title "${NO_TITLE}"`, why: "it is blank" };
  if (cut === whole) return { kind: "kept", to: "title" };
  mapped.body.set(0, `Full title: ${whole}`);
  return {
    kind: "mapped",
    to: `title, first ${MAX_TITLE} characters`,
    why: "longer than svc allows; the whole title opens the body",
  };
};

export const bodyRule: FieldRule = (value, mapped) => bodyPart(mapped, 1, undefined, value);

/** A rule for a field that becomes a section of the body, at position `rank` (2 or later). */
export function sectionRule(rank: number, heading: string): FieldRule {
  return (value, mapped) => bodyPart(mapped, rank, heading, value);
}

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

/** A rule for a priority from 0 (the highest) to 4. */
export const priorityRule: FieldRule = (value, mapped, issue, name) => {
  const priority = Number(wording(value));
  if (Number.isInteger(priority) && priority >= 0 && priority <= 4) {
    mapped.priority = priority;
    return { kind: "kept", to: "priority" };
  }
  return {
    ...keepInMetadata(value, mapped, issue, name),
    why: "not a whole number from 0 to 4",
  };
};

export const ownerRule: FieldRule = (value, mapped, _issue, name) =>
  readActor(mapped, "owner", name, value);

export const authorRule: FieldRule = (value, mapped, _issue, name) =>
  readActor(mapped, "author", name, value);

function readActor(
  mapped: MappedIssue,
  to: "owner" | "author",
  name: string,
  value: JsonValue,
): Outcome {
  const whole = storableText(wording(value)).trim();
  const cut = cutBytes(whole, MAX_ACTOR_BYTES).trim();
  if (isInvisible(cut)) return { kind: "dropped", why: "it is blank" };
  mapped[to] = cut;
  if (cut === value) return { kind: name === to ? "kept" : "mapped", to };
  const key = `${mapped.prefix}.${name}`;
  mapped.metadata[key] = value;
  return {
    kind: "mapped",
    to: `${to}, and metadata ${key}`,
    why: `not a name of svc as it was (trimmed, at most ${MAX_ACTOR_BYTES} bytes)`,
  };
}

/** The outcome for a valid instant. svc stores milliseconds; the outcome says so if the instant has more digits. */
function dateOutcome(to: string, value: JsonValue): Outcome {
  const finer = /\.\d{4,}/.test(wording(value));
  return { kind: "kept", to: finer ? `${to}, to the millisecond` : to };
}

/** When the issue last changed. In svc a comment changes its issue, so this is never earlier than the last comment. */
export function lastChange(issue: SourceIssue): Instant {
  return (issue.comments ?? []).reduce(
    (last, { createdAt }) => (createdAt !== undefined && createdAt > last ? createdAt : last),
    issue.updatedAt,
  );
}

export const closedRule: FieldRule = (value, mapped, issue, name) => {
  const instant = optionalInstant(value);
  if (mapped.status === "closed" && instant !== undefined && instant !== null) {
    mapped.closedAt = instant;
    return dateOutcome("closed_at", value);
  }
  const why = instant === null ? "not an instant" : "the issue is not closed";
  return { ...keepInMetadata(value, mapped, issue, name), why };
};

export const dueRule: FieldRule = planningDate("deadline_on");

export const scheduledRule: FieldRule = planningDate("scheduled_on");

function planningDate(key: string): FieldRule {
  return (value, mapped, issue, name) => {
    const instant = optionalInstant(value);
    if (instant === null || instant === undefined)
      return keepInMetadata(value, mapped, issue, name);
    mapped.metadata[key] = instant;
    return { kind: "mapped", to: `metadata ${key}` };
  };
}

export function wording(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
