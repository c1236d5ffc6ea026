const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Whether `text` is a ULID in any letter case. */
export function isUlid(text: string): boolean {
  return ULID.test(text.toUpperCase());
}
