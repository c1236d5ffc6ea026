import { parseInstant } from "../../base/clock.ts";

/**
 * Normalizes an RFC 3339 instant with all digits of its fraction, so that equal instants give equal text that sorts by
 * time; `undefined` for other text. `Instant` ends at milliseconds and would merge different instants.
 */
export function exactInstant(text: string): string | undefined {
  const seconds = parseInstant(text)?.slice(0, 19);
  if (seconds === undefined) return undefined;
  const fraction = /\.(\d+)/.exec(text)?.[1]?.replace(/0+$/, "") ?? "";
  return `${seconds}.${fraction}`;
}
