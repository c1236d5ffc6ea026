import { MAX_ADDRESS_BYTES } from "./limits.ts";

/** Characters that nobody sees, and halves of one: two addresses that look alike shall be one. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}]/u;

const encoder = new TextEncoder();

/** Whether requests can be put to that name (facts cron-and-inbox 10.1). Owners and authors may be longer. */
export function isAddress(text: string): boolean {
  return (
    text !== "" &&
    text === text.trim() &&
    !UNSEEN.test(text) &&
    encoder.encode(text).length <= MAX_ADDRESS_BYTES
  );
}
