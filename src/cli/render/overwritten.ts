import type { Now } from "../../domain/said-dates.ts";
import { type OverwrittenBy, overwrittenText } from "../../shared/overwritten-text.ts";
import { oneLine } from "../../shared/text.ts";

/** The end of the line of an event: ` (overwritten by ann, 10:02)` if it lost a value to another daemon. */
export function lostText(
  { overwritten_by: by }: { readonly overwritten_by?: OverwrittenBy | undefined },
  now: Now,
): string {
  return by === undefined ? "" : ` (${oneLine(overwrittenText(by, now))})`;
}
