import type { H3Event } from "h3";
import { rawHeaders, receivedBy } from "./event.ts";

/**
 * Returns the first value of a header that names a person or program. It reads the raw headers, because Node joins
 * repeated headers with commas, and a name may contain a comma.
 */
export function firstValue(event: H3Event, name: string): string | undefined {
  const received = receivedBy(event);
  const value = received === undefined ? undefined : rawHeaders(received, name)[0]?.trim();
  return value === undefined || value === "" ? undefined : utf8Of(value);
}

/**
 * Decodes a header value as UTF-8. Node makes one character of each byte. A value that is not UTF-8 is returned
 * unchanged: with replacement characters, two different values could become equal.
 */
export function utf8Of(value: string): string {
  if (ASCII.test(value)) return value;
  const text = Buffer.from(value, "latin1").toString("utf8");
  return text.includes("\ufffd") ? value : text;
}

const ASCII = /^[\x20-\x7e]*$/;
