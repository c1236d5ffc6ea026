import { instantToMs } from "../base/clock.ts";
import { invalidField, SvcError } from "../contract/errors.ts";
import { MAX_ISSUE_LABELS } from "../contract/limits.ts";

const REVISION_TAG = /^"rev-(0|[1-9]\d{0,14})"$/;

/**
 * Reads the revision from an `If-Match` header; throws for anything but `"rev-N"`
 * (docs/contract/http-api.md#16-revisions).
 */
export function ifMatchRevision(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const revision = REVISION_TAG.exec(header)?.[1];
  if (revision !== undefined) return Number(revision);
  throw invalidField("If-Match", 'must be of the form "rev-N", quotes included');
}

/**
 * Reads the revision from an `If-Match` header. Throws if the header is missing or is not `"rev-N"`
 * (docs/contract/http-api.md#16-revisions).
 */
export function requiredRevision(header: string | undefined): number {
  const revision = ifMatchRevision(header);
  if (revision !== undefined) return revision;
  throw invalidField("If-Match", 'is required, as "rev-N"');
}

export function revisionTag(revision: number): string {
  return `"rev-${revision}"`;
}

const MAX_KEY_CHARACTERS = 255; // docs/contract/http-api.md#17-idempotency-keys

export function idempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = header.trim();
  if (key !== "" && key.length <= MAX_KEY_CHARACTERS) return key;
  throw invalidField("Idempotency-Key", `must be 1 to ${MAX_KEY_CHARACTERS} characters`);
}

const KEY_LIFE_MS = 7 * 86_400_000;

/**
 * True if the idempotency key of a request that created or took an issue is older than seven days, counted from the
 * event that used the key (docs/contract/http-api.md#17-idempotency-keys).
 */
export function isForgotten(
  { created_at }: { readonly created_at: string },
  nowMs: number,
): boolean {
  return instantToMs(created_at) + KEY_LIFE_MS <= nowMs;
}

export function checkFingerprint(
  stored: string,
  fingerprint: string,
  about: Readonly<Record<string, unknown>> = {},
): void {
  if (stored !== fingerprint) throw new SvcError("idempotency_mismatch", about);
}

/** Throws if an issue would have too many labels; the maximum keeps every answer about an issue small. */
export function requireRoomForLabels(field: string, count: number): void {
  if (count <= MAX_ISSUE_LABELS) return;
  throw invalidField(
    field,
    `an issue has at most ${MAX_ISSUE_LABELS} labels`,
    "take a label off first: svc label remove",
  );
}
