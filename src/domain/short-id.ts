import { isInteger } from "./refs.ts";

const SHORTEST = 4; // facts http-api 4.5

/**
 * The handles an issue may get, shortest first: the end of its uid in lower case. One of digits only is passed over,
 * because an integer is never a ref.
 */
export function* shortIds(uid: string): Generator<string> {
  for (let length = SHORTEST; length < uid.length; length += 1) {
    const end = uid.slice(-length).toLowerCase();
    if (!isInteger(end)) yield end;
  }
  yield uid.toLowerCase();
}
