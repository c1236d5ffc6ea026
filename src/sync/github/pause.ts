import { httpDateToMs } from "../../base/http-date.ts";
import type { OutgoingAnswer } from "../../outgoing/exchange.ts";
import { OutgoingFault } from "../../outgoing/fault.ts";
import { type Pause, usualPause } from "../../outgoing/patience.ts";
import { retryAfterMs } from "../../outgoing/waits.ts";

/**
 * Waits for as long as the host says: by `Retry-After`, or by the time at which its limit of requests is reset. If the
 * host says nothing, waits one second after the first attempt and a second longer after each further one
 * (docs/contract/issue-sync.md#9-repeats-and-waits).
 */
export const githubPause: Pause = (outcome, attempt, nowMs) => {
  if (outcome instanceof OutgoingFault) return usualPause(outcome, attempt, nowMs);
  if (!isRateLimited(outcome) && outcome.status < 500) return undefined;
  const { headers } = outcome;
  return retryAfterMs(headers["retry-after"], nowMs) ?? resetMs(outcome, nowMs) ?? attempt * 1000;
};

/**
 * Whether the host's limit of requests is reached. GitHub then answers 403, or 200 for GraphQL; other hosts answer 429.
 */
export function isRateLimited({ status, headers, body }: OutgoingAnswer): boolean {
  if (status === 429) return true;
  if (status === 403)
    return headers["x-ratelimit-remaining"] === "0" || /rate limit/i.test(beginning(body));
  return status === 200 && /"type"\s*:\s*"RATE_LIMITED?"/.test(beginning(body));
}

/** The text of a short answer; empty for a long one, since an answer that is an error is short. */
function beginning(body: Buffer): string {
  return body.length > 64 * 1024 ? "" : body.toString("utf8");
}

/** How long until the limit is reset, by the clock of the host, since the clock of this machine may be wrong. */
function resetMs({ headers }: OutgoingAnswer, nowMs: number): number | undefined {
  const [remaining = "0", reset] = [
    headers["x-ratelimit-remaining"],
    headers["x-ratelimit-reset"],
  ].map((header) => (typeof header === "string" ? header.trim() : undefined));
  if (remaining !== "0" || reset === undefined || !/^\d{1,12}$/.test(reset)) return undefined;
  const ms = Number(reset) * 1000 - (httpDateToMs(headers.date ?? "") ?? nowMs);
  return ms > 0 ? ms : undefined;
}
