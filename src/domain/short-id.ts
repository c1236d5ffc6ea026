import { isInteger } from "./refs.ts";

const SHORTEST = 4; // facts http-api 4.5

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
