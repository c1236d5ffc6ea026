import { MAX_ADDRESS_BYTES } from "./limits.ts";

/** Invisible characters and lone surrogates. With these, two different addresses could look the same. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]/u;

const encoder = new TextEncoder();

/**
 * Whether the text is a valid inbox address (docs/contract/cron-and-inbox.md#101-addresses-and-slots). Owners and
 * authors may be longer.
 */
export function isAddress(text: string): boolean {
  return (
    text !== "" &&
    text === text.trim() &&
    !INVISIBLE.test(text) &&
    encoder.encode(text).length <= MAX_ADDRESS_BYTES
  );
}
