import type { Env } from "./env.ts";

/** Whether the terminal has the table of 256 colours; others have the sixteen that have names. */
export function hasManyColours({ TERM, COLORTERM = "" }: Env): boolean {
  return COLORTERM !== "" || /256|direct/.test(TERM ?? "");
}
