import { isUlid } from "../base/ulid.ts";

export type Ref =
  | { readonly kind: "short_id"; readonly short_id: string }
  | { readonly kind: "qualified"; readonly project: string; readonly short_id: string }
  | { readonly kind: "uid"; readonly uid: string };

const SHORT_ID = /^[0-9a-z]{1,25}$/i;

/** Parses a ref; `undefined` if the text cannot name an issue. Integers and uid prefixes are no refs. */
export function parseRef(text: string): Ref | undefined {
  if (isUlid(text)) return { kind: "uid", uid: text.toUpperCase() };
  const hash = text.lastIndexOf("#");
  const short_id = text.slice(hash + 1).toLowerCase();
  if (!SHORT_ID.test(short_id)) return undefined;
  if (hash === -1) return isInteger(text) ? undefined : { kind: "short_id", short_id };
  return hash === 0 ? undefined : { kind: "qualified", project: text.slice(0, hash), short_id };
}

export function isInteger(text: string): boolean {
  return /^[0-9]+$/.test(text);
}

/** True for a text that may be the first eight digits of a UUID. Taskwarrior shows the ids of tasks in this form. */
export function isShortUuid(text: string): boolean {
  return /^[0-9a-f]{8}$/i.test(text);
}

export const MIN_UID_PREFIX = 8; // docs/contract/http-api.md#33-lists-create-show-edit, showIssueByUID

/** `project#short_id` with the project's current name (docs/contract/http-api.md#46-qualified-ids). */
export function qualifiedId(projectName: string, shortId: string): string {
  return `${projectName}#${shortId}`;
}
