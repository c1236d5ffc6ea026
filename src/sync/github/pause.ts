import { httpDateToMs } from "../../base/http-date.ts";
import type { OutgoingAnswer } from "../../outgoing/exchange.ts";
import { OutgoingFault } from "../../outgoing/fault.ts";
import { type Pause, usualPause } from "../../outgoing/patience.ts";
import { retryAfterMs } from "../../outgoing/waits.ts";

/**
 * Waits for as long as the host says: by `Retry-After`, by the time at which its limit of requests begins anew, and
 * otherwise a second more after each attempt (facts issue-sync 9).
 */
export const githubPause: Pause = (outcome, attempt, nowMs) => {
  if (outcome instanceof OutgoingFault) return usualPause(outcome, attempt, nowMs);
  if (!isRateLimited(outcome) && outcome.status < 500) return undefined;
  const { headers } = outcome;
  return retryAfterMs(headers["retry-after"], nowMs) ?? resetMs(outcome, nowMs) ?? attempt * 1000;
};

/** GitHub says by 403, and for GraphQL by 200, what others say by 429. */
export function isRateLimited({ status, headers, body }: OutgoingAnswer): boolean {
  if (status === 429) return true;
  if (status === 403)
    return headers["x-ratelimit-remaining"] === "0" || /rate limit/i.test(beginning(body));
  return status === 200 && /"type"\s*:\s*"RATE_LIMITED?"/.test(beginning(body));
}

/** Enough for an answer that is an error. An answer with issues is not looked through. */
function beginning(body: Buffer): string {
  return body.length > 64 * 1024 ? "" : body.toString("utf8");
}

/** How long until the limit begins anew, by the clock of the host: that of this machine may be wrong. */
function resetMs({ headers }: OutgoingAnswer, nowMs: number): number | undefined {
  const [remaining = "0", reset] = [
    headers["x-ratelimit-remaining"],
    headers["x-ratelimit-reset"],
  ].map((header) => (typeof header === "string" ? header.trim() : undefined));
  if (remaining !== "0" || reset === undefined || !/^\d{1,12}$/.test(reset)) return undefined;
  const ms = Number(reset) * 1000 - (httpDateToMs(headers.date ?? "") ?? nowMs);
  return ms > 0 ? ms : undefined;
}
