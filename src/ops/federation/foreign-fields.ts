import { parseInstant } from "../../base/clock.ts";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import { isUlid } from "../../base/ulid.ts";
import { brokenLabelRule } from "../../contract/label.ts";
import {
  MAX_ACTOR_BYTES,
  MAX_BRIDGE_TEXT,
  MAX_CONNECTOR_INSTANCE,
  MAX_DEFINITION_BYTES,
  MAX_EXTERNAL_ID_CHARACTERS,
  MAX_OCCURRENCE_KEY_CHARACTERS,
  MAX_PRIORITY,
  MAX_PROJECT_NAME_BYTES,
  MAX_RECORD_NAME_BYTES,
  MAX_SOURCE_CHARACTERS,
  MAX_SUMMARY_BYTES,
  MAX_TEAMMATE_CHARACTERS,
  MAX_TITLE_CHARACTERS,
} from "../../contract/limits.ts";
import { CloseReason } from "../../contract/values.ts";
import { MAX_COUNTER } from "../../domain/order.ts";
import { byteLength, codePoints } from "../../domain/text.ts";

/** Returns the rule that a value breaks, in words that follow the name of its field. */
type Rule = (value: JsonValue) => string | undefined;

const rule =
  (holds: (text: string) => boolean, words: string): Rule =>
  (value) =>
    typeof value === "string" && holds(value) ? undefined : words;

const isBlank = (text: string): boolean => text.trim() === "";

const handle = (max: number): Rule =>
  rule((text) => !isBlank(text) && byteLength(text) <= max, `must be 1 to ${max} bytes`);

const characters = (max: number): Rule =>
  rule((text) => text !== "" && codePoints(text) <= max, `must be 1 to ${max} characters`);

const integer =
  (least: number, greatest: number = Number.MAX_SAFE_INTEGER): Rule =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= greatest
      ? undefined
      : `must be a whole number from ${least} to ${greatest}`;

const bytesOfJson =
  (max: number): Rule =>
  (value) =>
    byteLength(JSON.stringify(value)) <= max ? undefined : `must be at most ${max} bytes`;

/** An upper-case ULID. */
export const UID = rule((text) => isUlid(text) && text === text.toUpperCase(), "must be a ULID");
export const INSTANT = rule(
  (text) => parseInstant(text) === text,
  "must be an instant in UTC with milliseconds",
);
/**
 * The name of an actor, owner or author. Older events may contain names that new events may not use
 * (docs/contract/http-api.md#15-actor).
 */
export const NAME = handle(MAX_ACTOR_BYTES);
const WRITTEN_INSTANT = rule(
  (text) => parseInstant(text) !== undefined,
  "must be an RFC 3339 instant",
);
const SHORT_ID = rule((text) => /^[0-9a-z]{1,26}$/.test(text), "must be a short id");
const PRIORITY = integer(0, MAX_PRIORITY);
const TITLE = rule(
  (text) => !isBlank(text) && codePoints(text) <= MAX_TITLE_CHARACTERS,
  `must be 1 to ${MAX_TITLE_CHARACTERS} characters`,
);
const LABEL: Rule = (value) =>
  typeof value === "string" ? brokenLabelRule(value) : "must be a text";
const TEAMMATE = rule(
  (text) => text.length <= MAX_TEAMMATE_CHARACTERS && /^[\x21-\x7e]+$/.test(text),
  `must be 1 to ${MAX_TEAMMATE_CHARACTERS} ASCII characters`,
);
const REASON = rule(
  (text) => CloseReason().safeParse(text).success,
  "must be a reason to close an issue",
);
const KEY = characters(255);
const TOO_LONG = `must be at most ${MAX_BRIDGE_TEXT} characters`;

/**
 * The rules of the fields of payloads, by the names of the fields, at any depth. If a field is a list, each item must
 * follow the rule.
 */
const FOREIGN_FIELD_RULES: ReadonlyMap<string, Rule> = new Map([
  ...ruleForEach(UID, [
    ...["uid", "project_uid", "issue_uid", "comment_uid", "recurrence_uid", "to_issue_uid"],
    ...["from_uid", "to_uid", "link_from_uid", "link_to_uid", "parent_set_uid"],
    ...["parent_removed_uid", "blocks_added_uids", "blocks_removed_uids"],
    ...["blocked_by_added_uids", "blocked_by_removed_uids", "related_added_uids"],
    ...["related_removed_uids", "purged_uids", "job_uid", "workflow_uid"],
    ...["definition_event_uid", "workflow_definition_event_uid", "observation_event_uid"],
    ...["origin_instance_uid", "binding_uid", "pending_comment_uid"],
  ]),
  ...ruleForEach(INSTANT, [
    ...["created_at", "updated_at", "closed_at", "deleted_at", "reopened_at", "restored_at"],
    ...["edited_at", "imported_at", "observed_at"],
  ]),
  ...ruleForEach(WRITTEN_INSTANT, ["started_at", "ended_at"]),
  ...ruleForEach(SHORT_ID, ["short_id", "spent_short_ids"]),
  ...ruleForEach(NAME, ["author", "owner", "actor", "executor_label"]),
  ...ruleForEach(PRIORITY, ["priority", "old_priority"]),
  ...ruleForEach(integer(1), ["revision"]),
  ...ruleForEach(integer(0), ["revision_new", "physical_ms"]),
  ...ruleForEach(integer(0, MAX_COUNTER), ["counter"]),
  ...ruleForEach(TITLE, ["title"]),
  ...ruleForEach(LABEL, ["label", "labels"]),
  ...ruleForEach(TEAMMATE, ["teammate"]),
  ...ruleForEach(REASON, ["closed_reason"]),
  ...ruleForEach(KEY, ["idempotency_key"]),
  ...ruleForEach(characters(MAX_SOURCE_CHARACTERS), ["source"]),
  ...ruleForEach(characters(MAX_EXTERNAL_ID_CHARACTERS), ["external_id", "other_external_ids"]),
  ...ruleForEach(characters(MAX_OCCURRENCE_KEY_CHARACTERS), ["occurrence_key"]),
  ...ruleForEach(characters(MAX_CONNECTOR_INSTANCE), ["connector_instance"]),
  ...ruleForEach(characters(MAX_BRIDGE_TEXT), [
    ...["external_root_key", "external_revision", "external_comment_id", "actor_id"],
  ]),
  ...ruleForEach(
    rule((text) => codePoints(text) <= MAX_BRIDGE_TEXT, TOO_LONG),
    ["actor_name"],
  ),
  ...ruleForEach(handle(MAX_PROJECT_NAME_BYTES), ["project_name"]),
  ...ruleForEach(handle(MAX_RECORD_NAME_BYTES), ["name"]),
  ...ruleForEach(bytesOfJson(MAX_DEFINITION_BYTES), ["definition"]),
  ...ruleForEach(bytesOfJson(MAX_SUMMARY_BYTES), ["summary"]),
]);

/** JSON that belongs to users: the fields inside have no rules, but texts must be storable. */
const OPAQUE: ReadonlySet<string> = new Set([
  ...["metadata", "diff", "definition", "summary", "evidence"],
]);

function ruleForEach(what: Rule, names: readonly string[]): readonly (readonly [string, Rule])[] {
  return names.map((name) => [name, what]);
}

/**
 * Returns the first field of a payload that breaks a limit for events that are written here, and names the limit. The
 * schema of the payload has checked which fields there are, and their types.
 */
export function brokenField(payload: JsonObject): string | undefined {
  for (const [name, value] of Object.entries(payload)) {
    const broken = brokenText(name) ?? brokenValue(name, value);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

function brokenValue(name: string, value: JsonValue): string | undefined {
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) {
      const broken = brokenValue(name, item);
      if (broken !== undefined) return broken;
    }
    return undefined;
  }
  // Where a payload allows null, it means that there is no value.
  if (value === null) return undefined;
  const what = FOREIGN_FIELD_RULES.get(name);
  if (OPAQUE.has(name)) return says(name, what?.(value) ?? brokenText(value));
  if (typeof value === "object") return brokenField(value as JsonObject);
  return says(name, brokenText(value) ?? what?.(value));
}

function says(name: string, broken: string | undefined): string | undefined {
  return broken === undefined ? undefined : `${name} ${broken}`;
}

/** SQLite would cut a text at NUL, and PostgreSQL would refuse it. Half a surrogate pair cannot be stored. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

function brokenText(value: JsonValue): string | undefined {
  if (typeof value === "string")
    return UNSTORABLE.test(value) ? "must not contain NUL or half a surrogate pair" : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const broken = brokenText(name) ?? brokenText(inner as JsonValue);
    if (broken !== undefined) return broken;
  }
  return undefined;
}
