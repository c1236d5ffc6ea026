import { isPlainObject, type JsonObject, type JsonValue, sameJson } from "../base/json.ts";
import { invalidField, SvcError } from "../contract/errors.ts";
import { badIssueValue, badProjectValue } from "./reserved-keys.ts";

/**
 * Changes by key; `to` absent or null means that the key was removed
 * (docs/contract/events.md#31-marks-that-several-kinds-have).
 */
export type Diff = Readonly<
  Record<string, { readonly from?: JsonValue | undefined; readonly to?: JsonValue | undefined }>
>;

/** A patch: a value per key; `null` removes the key (docs/contract/http-api.md#47-metadata). */
export type MetadataPatch = JsonObject;

/**
 * The changes that a patch makes, or `undefined` if none. The value of a key is replaced as a whole, even if it is an
 * object.
 */
export function diffOf(current: JsonObject, patch: MetadataPatch): Diff | undefined {
  const diff = new Map<string, Diff[string]>();
  for (const [key, to] of Object.entries(patch)) {
    const from = Object.hasOwn(current, key) ? current[key] : undefined;
    if (to === null) {
      if (from !== undefined) diff.set(key, { from });
    } else if (from === undefined) diff.set(key, { to });
    else if (!sameJson(from, to)) diff.set(key, { from, to });
  }
  return diff.size === 0 ? undefined : Object.fromEntries(diff);
}

/**
 * Applies a diff. Where the old, new and current values are objects, the change is merged leaf by leaf, so that writers
 * of different leaves do not overwrite each other; anything else is replaced (docs/contract/events.md#62-effects).
 */
export function applyDiff(current: JsonObject, diff: Diff): JsonObject {
  const changes = Object.entries(diff).map(
    ([key, { from, to }]) => [key, from, to === null ? undefined : to] as const,
  );
  return merge(current, changes);
}

/**
 * A key with its old and new value; `undefined` means absent. Inside a value that is an object, `null` is a value too.
 */
type KeyChange = readonly [key: string, from: JsonValue | undefined, to: JsonValue | undefined];

function merge(current: JsonObject, changes: readonly KeyChange[]): JsonObject {
  const next = new Map(Object.entries(current));
  for (const [key, from, to] of changes) {
    if (to === undefined) next.delete(key);
    else next.set(key, mergeValue(next.get(key), from, to));
  }
  return Object.fromEntries(next);
}

function mergeValue(
  current: JsonValue | undefined,
  from: JsonValue | undefined,
  to: JsonValue,
): JsonValue {
  if (!isPlainObject(current) || !isPlainObject(from) || !isPlainObject(to)) return to;
  const [before, after] = [new Map(Object.entries(from)), new Map(Object.entries(to))];
  const changes = [...new Set([...before.keys(), ...after.keys()])]
    .map((key): KeyChange => [key, before.get(key), after.get(key)])
    .filter(([, was, is]) => was === undefined || is === undefined || !sameJson(was, is));
  return merge(current, changes);
}

/** Refuses invalid values of reserved keys, and keys that only svc may write. */
export function checkIssuePatch(patch: MetadataPatch): void {
  checkPatch(patch, badIssueValue);
}

export function checkProjectPatch(patch: MetadataPatch): void {
  checkPatch(patch, badProjectValue);
}

/**
 * Checks the metadata of a new issue. `null` is refused: in a patch it removes a key, and a new issue has none to
 * remove.
 */
export function checkNewMetadata(metadata: JsonObject): void {
  const empty = Object.keys(metadata).find((key) => metadata[key] === null);
  if (empty !== undefined) throw invalidValue(empty, "null is not a value here");
  checkIssuePatch(metadata);
}

function checkPatch(
  patch: MetadataPatch,
  bad: (key: string, value: JsonValue) => string | undefined,
): void {
  for (const [key, value] of Object.entries(patch)) {
    if (key === "") throw invalidField("metadata", "a key is empty");
    const reason = bad(key, value);
    if (reason !== undefined) throw invalidValue(key, reason);
  }
}

function invalidValue(key: string, reason: string): SvcError {
  return new SvcError("invalid_metadata_value", { key }, { message: `metadata ${key}: ${reason}` });
}
