import { isUlid } from "../base/ulid.ts";
import type { StoredEvent } from "../contract/events.ts";
import { isInteger } from "./refs.ts";

const SHORTEST = 4; // docs/contract/http-api.md#45-refs-and-ids

/**
 * Possible short ids, shortest first: endings of the uid in lower case. Endings of digits only are skipped, because an
 * integer is never a ref.
 */
export function* shortIds(uid: string): Generator<string> {
  for (let length = SHORTEST; length < uid.length; length += 1) {
    const end = uid.slice(-length).toLowerCase();
    if (!isInteger(end)) yield end;
  }
  yield uid.toLowerCase();
}

/**
 * Short ids for an issue that is to get the short id `wanted`, in the order in which they are tried: `wanted`, and then
 * the longer endings of its uid. The last is the whole uid, which no other issue can get, so one of them is always
 * free.
 */
export function* shortIdsFrom(uid: string, wanted: string): Generator<string> {
  const whole = uid.toLowerCase();
  if (wanted === whole || !isUlid(wanted)) yield wanted;
  for (const id of shortIds(uid))
    if (id !== wanted && (id.length > wanted.length || id === whole)) yield id;
}

/**
 * Returns the short id that this daemon gave to the issue in the project because the short id in the payload was taken.
 * Returns `undefined` if the issue has the short id of the payload.
 */
export function assignedId(
  { assigned_ids }: Pick<StoredEvent, "assigned_ids">,
  issueUid: string,
  projectUid: string,
): string | undefined {
  return assigned_ids?.[issueUid]?.[projectUid];
}
