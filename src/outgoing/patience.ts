import type { OutgoingAnswer } from "./exchange.ts";
import type { FarSide, OutgoingRequest } from "./far-side.ts";
import { OutgoingFault } from "./fault.ts";
import { retryAfterMs, type Waits } from "./waits.ts";

export type Outcome = OutgoingAnswer | OutgoingFault;

/** Returns the time in ms after which to send the request again; `undefined` if the outcome is final. */
export type Pause = (outcome: Outcome, attempt: number, nowMs: number) => number | undefined;

export interface Patience {
  /** The waits of the piece of work to which the request belongs. */
  readonly waits: Waits;
  /** The maximum number of attempts; default 3. */
  readonly attempts?: number;
  readonly pause?: Pause;
}

/**
 * Sends a request, and repeats it if it may succeed later. A request that must not be carried out twice is repeated
 * only if it is certain that it was not carried out. Returns the last answer, or throws the last fault.
 */
export async function sendPatiently(
  farSide: FarSide,
  request: OutgoingRequest,
  { waits, attempts = 3, pause = usualPause }: Patience,
): Promise<OutgoingAnswer> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await outcomeOf(farSide, request);
    const mayRepeat = attempt < attempts && (isRepeatable(request) || wasNotCarriedOut(outcome));
    const ms = mayRepeat ? pause(outcome, attempt, waits.nowMs()) : undefined;
    if (ms === undefined) return answerOf(outcome);
    await waits.wait(ms, request.signal);
  }
}

async function outcomeOf(farSide: FarSide, request: OutgoingRequest): Promise<Outcome> {
  try {
    return await farSide.send(request);
  } catch (error) {
    if (error instanceof OutgoingFault) return error;
    throw error;
  }
}

function answerOf(outcome: Outcome): OutgoingAnswer {
  if (outcome instanceof OutgoingFault) throw outcome;
  return outcome;
}

function isRepeatable({ method, repeatable }: OutgoingRequest): boolean {
  return repeatable ?? (method !== "POST" && method !== "PATCH");
}

/** The statuses 429 and 503 mean that the request was not carried out. */
function wasNotCarriedOut(outcome: Outcome): boolean {
  if (outcome instanceof OutgoingFault) return !outcome.sent;
  return outcome.status === 429 || outcome.status === 503;
}

/**
 * Waits as long as `Retry-After` says. Without this header, waits one second more after each attempt
 * (docs/contract/issue-sync.md#9-repeats-and-waits). Repeats after 429, after errors of the far side, and after network
 * failures.
 */
export const usualPause: Pause = (outcome, attempt, nowMs) => {
  const usual = attempt * 1000;
  if (outcome instanceof OutgoingFault) return NETWORK_FAULTS.has(outcome.kind) ? usual : undefined;
  const { status, headers } = outcome;
  if (status !== 429 && status < 500) return undefined;
  return retryAfterMs(headers["retry-after"], nowMs) ?? usual;
};

const NETWORK_FAULTS: ReadonlySet<string> = new Set(["unsent", "lost", "timeout"]);
