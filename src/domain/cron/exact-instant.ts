import { parseInstant } from "../../base/clock.ts";

/**
 * An RFC 3339 instant to the last digit of its fraction, as text that is equal for equal instants and sorts as they
 * do; `undefined` for any other text. Our own instants end at milliseconds, which would take two times for one.
 */
export function exactInstant(text: string): string | undefined {
  const seconds = parseInstant(text)?.slice(0, 19);
  if (seconds === undefined) return undefined;
  const fraction = /\.(\d+)/.exec(text)?.[1]?.replace(/0+$/, "") ?? "";
  return `${seconds}.${fraction}`;
}
