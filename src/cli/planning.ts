import { arg, refArg } from "./flags.ts";
import { ifMatchFlag } from "./meta.ts";

export const planningArgs = {
  ref: refArg(),
  date: arg("2026-09-01, 2026-09-01T14:30 or 2026-09-01T12:30:00Z; - takes it away"),
};

export const planningFlags = ifMatchFlag;

/** `-` means no date. */
export function dateValue(text: string): string | null {
  return text === "-" ? null : text;
}
