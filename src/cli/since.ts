import { msToInstant, parseInstant } from "../base/clock.ts";
import { parseDuration } from "../base/durations.ts";
import { invalid } from "./failure.ts";

const DAY_MS = 86_400_000;

/** A time as people say it: how long ago (`90m`, `12h`, `7d`) or an RFC 3339 instant (facts cli-and-config 2.3). */
export function instantOf(flag: string, text: string, nowMs: number): string {
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const ago = days === undefined ? parseDuration(text) : Number(days) * DAY_MS;
  if (ago !== undefined && ago <= nowMs) return msToInstant(nowMs - ago);
  throw invalid(
    `${flag} is neither how long ago nor an instant: ${text}`,
    "say 90m, 12h, 7d or 2026-01-31T09:00:00Z",
  );
}
