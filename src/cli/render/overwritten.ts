import type { Now } from "../../domain/said-dates.ts";
import { type OverwrittenBy, overwrittenText } from "../../shared/overwritten-text.ts";
import { oneLine } from "../../shared/text.ts";

/**
 * Returns ` (overwritten by ann, 10:02)` to append to the line of an event whose change was overwritten on another
 * daemon, otherwise "".
 */
export function lostText(
  { overwritten_by: by }: { readonly overwritten_by?: OverwrittenBy | undefined },
  now: Now,
): string {
  return by === undefined ? "" : ` (${oneLine(overwrittenText(by, now))})`;
}
