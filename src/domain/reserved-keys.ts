import type { JsonObject, JsonValue } from "../base/json.ts";
import { isUlid } from "../base/ulid.ts";
import { isIanaZone, parsePlanningDate } from "./dates.ts";

/**
 * Reserved metadata keys and the grammar of their values (docs/contract/http-api.md#47-metadata). `work.*`, `notify.*`
 * and `teammate` are conventions among clients and are not checked here.
 */
type Grammar = (value: JsonValue) => string | undefined;

const planningDate: Grammar = (value) =>
  typeof value === "string" && parsePlanningDate(value) !== undefined
    ? undefined
    : "must be YYYY-MM-DD, YYYY-MM-DDTHH:MM[:SS] or a UTC instant ending in Z";

const text: Grammar = (value) => (typeof value === "string" ? undefined : "must be text");

const ISSUE_KEYS: Readonly<Record<string, Grammar>> = {
  scheduled_on: planningDate,
  deadline_on: planningDate,
  timezone: (value) =>
    typeof value === "string" && isIanaZone(value) ? undefined : "must be an IANA time zone",
  someday: (value) => (value === true ? undefined : "must be true; remove the key to unpark"),
  checklist: (value) =>
    Array.isArray(value) && value.every(isChecklistItem)
      ? undefined
      : "must be a list of {id: ULID, text: not blank, done: true or false}",
};

const PROJECT_KEYS: Readonly<Record<string, Grammar>> = {
  role: (value) => (value === "inbox" ? undefined : "must be inbox"),
  area: text,
};

/**
 * Keys that only the daemon writes, when it delivers an occurrence
 * (docs/contract/cron-and-inbox.md#82-progress-and-origin).
 */
const SYSTEM_KEYS = /^cron\.(?:progress\.|occurrence$)/;

export function isSystemKey(key: string): boolean {
  return SYSTEM_KEYS.test(key);
}

/**
 * Why the value is not allowed for this key of an issue, or `undefined`. `null` removes a key and is allowed except for
 * system keys.
 */
export function badIssueValue(key: string, value: JsonValue): string | undefined {
  if (isSystemKey(key)) return "is written by the daemon only";
  return value === null ? undefined : grammarOf(ISSUE_KEYS, key)?.(value);
}

export function badProjectValue(key: string, value: JsonValue): string | undefined {
  return value === null ? undefined : grammarOf(PROJECT_KEYS, key)?.(value);
}

function grammarOf(keys: Readonly<Record<string, Grammar>>, key: string): Grammar | undefined {
  return Object.hasOwn(keys, key) ? keys[key] : undefined;
}

function isChecklistItem(item: JsonValue): boolean {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return false;
  const { id, text: label, done } = item as JsonObject;
  return (
    Object.keys(item).length === 3 &&
    typeof id === "string" &&
    isUlid(id) &&
    typeof label === "string" &&
    label.trim() !== "" &&
    typeof done === "boolean"
  );
}
