import { isInvisible } from "../../base/visible.ts";
import {
  MAX_ADDRESS_BYTES,
  MAX_MESSAGE_BYTES,
  MAX_PORTABLE_NAME_BYTES,
} from "../../contract/limits.ts";

const encoder = new TextEncoder();

export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

const PORTABLE = /^[\p{L}\p{Nd}_.-]+$/u;

/** Whether the text is a name that is valid on every machine (docs/contract/cron-and-inbox.md#22-bounds). */
export function isPortableName(text: string): boolean {
  return (
    PORTABLE.test(text) &&
    text !== "." &&
    text !== ".." &&
    !isInvisible(text) &&
    bytesOf(text) <= MAX_PORTABLE_NAME_BYTES
  );
}

/** A recipient that means the owner at the time of delivery, or the author if it has no owner. */
export const OWNER_OR_AUTHOR = "current-owner-or-author";

/** Whether the text is an exact address, `name` or `name/adapter` (docs/contract/cron-and-inbox.md#27-recipients). */
export function isRecipient(text: string): boolean {
  return (
    /^[^/\s]+(?:\/[^/\s]+)?$/u.test(text) &&
    !/[\p{Cc}\p{Cf}]/u.test(text) &&
    !text.split("/").some(isInvisible) &&
    bytesOf(text) <= MAX_ADDRESS_BYTES
  );
}

export function isMessageTooLong(text: string): boolean {
  return bytesOf(text) > MAX_MESSAGE_BYTES;
}

/** Whether the text is a ULID in upper case, as the tables store it. Definitions accept no other spelling. */
export function isUpperUlid(text: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
}
