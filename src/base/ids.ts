import { monotonicFactory } from "ulid";

/** Makes ULIDs: 26 upper-case Crockford characters that sort in the order of their making within one process. */
export interface Ids {
  ulid(): string;
}

export function systemIds(): Ids {
  const next = monotonicFactory();
  return { ulid: () => next() };
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Whether `text` is a ULID in any letter case. */
export function isUlid(text: string): boolean {
  return ULID.test(text.toUpperCase());
}
