import { parseInstant } from "../../base/clock.ts";

/**
 * Normalizes an RFC 3339 instant and keeps all digits of its fraction. Equal instants give equal text, and the texts
 * sort by time. Returns `undefined` for other text. The type `Instant` has only milliseconds, so it cannot tell all
 * instants apart.
 */
export function exactInstant(text: string): string | undefined {
  const seconds = parseInstant(text)?.slice(0, 19);
  if (seconds === undefined) return undefined;
  const fraction = /\.(\d+)/.exec(text)?.[1]?.replace(/0+$/, "") ?? "";
  return `${seconds}.${fraction}`;
}
