/** What follows from an answer of the embedding provider (docs/contract/search.md#54-after-a-failure). */

export const FIRST_BACKOFF_MS = 1000;
export const LONGEST_BACKOFF_MS = 300_000;
export const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** After this many calls in a row that a fault of the provider ended, harmless texts show whether a text causes it. */
export const FAILURES_BEFORE_PROBE = 3;

/** An answer of the provider without vectors that can be used. */
export type FailedAnswer =
  | { readonly status: number; readonly retryAfterMs?: number }
  | { readonly fault: "transport" | "timeout" | "invalid" | "too_large" | "stopped" };

/** Wait that long before the next call. `wait` names the rule. */
interface Wait {
  readonly wait: "retry_after" | "backoff" | "longest";
  readonly ms: number;
}

/**
 * - `probe`: ask again with as many harmless texts, to learn whether a text is the cause or the request;
 * - `halve`: ask again with half of the texts;
 * - `stopped`: svc itself ended the call.
 */
export type Verdict = "probe" | "halve" | Wait | "stopped";

/**
 * Returns what follows from an answer to a call with `inputs` texts. `backoffMs` is the wait after a fault that may go
 * away; it begins at `FIRST_BACKOFF_MS` and is changed by `nextBackoff` after each such wait. `failures` is how many
 * calls in a row were answered with 5xx, with this one: some servers answer so to a text that is too long for them.
 */
export function verdictOf(
  answer: FailedAnswer,
  {
    backoffMs,
    inputs,
    failures,
  }: { readonly backoffMs: number; readonly inputs: number; readonly failures: number },
): Verdict {
  if ("fault" in answer && answer.fault === "too_large" && inputs > 1) return "halve";
  if ("status" in answer && mayBeOfText(answer.status))
    return answer.status === 413 && inputs > 1 ? "halve" : "probe";
  if (isOwnFault(answer) && failures >= FAILURES_BEFORE_PROBE) return "probe";
  return waitAfter(answer, backoffMs);
}

/** Whether the provider says that it has a fault of its own. Some servers say so of a text that is too long for them. */
export function isOwnFault(answer: FailedAnswer): boolean {
  return "status" in answer && answer.status >= 500 && answer.status <= 599;
}

/** Whether the status says that a server cannot be reached or has too much to do, so that no text is skipped for it. */
export function isFaultOfProvider(status: number): boolean {
  return status === 502 || status === 503 || status === 504;
}

/** Why an issue is skipped: its text was refused with this status, or the provider failed at it alone with a 5xx. */
export type SkipReason = "refused_400" | "refused_413" | "refused_422" | `failed_5${string}`;

/** Returns the reason for skipping an issue, or undefined if the status is none of a text that cannot be embedded. */
export function skipReasonOf(status: number): SkipReason | undefined {
  switch (status) {
    case 400:
      return "refused_400";
    case 413:
      return "refused_413";
    case 422:
      return "refused_422";
    default:
      return isOwnFault({ status }) && !isFaultOfProvider(status)
        ? `failed_5${String(status).slice(1)}`
        : undefined;
  }
}

/** Whether the provider failed at the text. It may take it at another time; a text that it refused it does not. */
export function isFailedReason(reason: string | null): boolean {
  return reason?.startsWith("failed_") === true;
}

/** Returns the wait that follows the wait of `ms`. */
export function nextBackoff(ms: number): number {
  return Math.min(2 * ms, LONGEST_BACKOFF_MS);
}

function mayBeOfText(status: number): boolean {
  return skipReasonOf(status)?.startsWith("refused") === true;
}

/**
 * Returns the wait after an answer, whatever the texts of the call were. After a probe with harmless texts that was
 * refused as the call was, the request itself is refused.
 */
export function waitAfter(answer: FailedAnswer, backoffMs: number): Wait | "stopped" {
  const backoff: Wait = { wait: "backoff", ms: backoffMs };
  if ("fault" in answer) {
    return answer.fault === "stopped" ? "stopped" : backoff;
  }
  const { status, retryAfterMs } = answer;
  if (status === 429 && retryAfterMs !== undefined && retryAfterMs > 0)
    return { wait: "retry_after", ms: Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS) };
  if (status === 429 || isOwnFault(answer)) return backoff;
  return { wait: "longest", ms: LONGEST_BACKOFF_MS };
}
