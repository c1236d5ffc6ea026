import { ERRORS } from "../contract/error-codes.ts";
import { silenceHint, UnavailableError, unansweredMessage } from "../shared/answer-errors.ts";
import { redirectText } from "./http/redirect.ts";
import type { ResponseHead } from "./http/response.ts";
import type { TransportFault } from "./http/transport-fault.ts";
import type { Endpoint } from "./locate.ts";
import type { Outgoing } from "./outgoing.ts";

export function requireNoRedirect(
  answer: ResponseHead,
  { address, scheme, hostHeader }: Endpoint,
): void {
  const redirect = redirectText(answer, `${scheme}://${hostHeader}`);
  if (redirect === undefined) return;
  throw new UnavailableError(`the server at ${address} is not used as a daemon: ${redirect}`);
}

interface StatusAndBody {
  readonly status: number;
  readonly body?: Buffer;
}

/** Returns true if the daemon refused the request with this code, before it did anything. */
export function isRefusal(answer: StatusAndBody, code: "busy" | "daemon_stopping"): boolean {
  return answer.status === ERRORS[code].status && answer.body?.includes(`"${code}"`) === true;
}

/**
 * The error that tells a person what the fault means for the call
 * (docs/contract/command-line.md#13-streams-and-failures).
 */
export function unavailable(
  fault: TransportFault,
  endpoint: Pick<Endpoint, "address" | "pid">,
  { id, changes, repeatable }: Outgoing,
): UnavailableError {
  const { address } = endpoint;
  const silence = fault.kind === "timeout" ? silenceHint(endpoint) : undefined;
  const what =
    fault.kind === "timeout"
      ? unansweredMessage(endpoint)
      : `the connection to the daemon at ${address} failed: ${fault.message}`;
  if (fault.kind === "unsent" || !changes) {
    const hint = silence === undefined ? {} : { hint: silence };
    return new UnavailableError(what, { ...hint, cause: fault });
  }
  const next = repeatable
    ? "send it again with the same idempotency key: it is carried out once"
    : "look whether it was made before you repeat it";
  return new UnavailableError(`mutation result may be unknown: ${what}`, {
    code: id === "createIssue" ? "create_outcome_unknown" : "daemon_unavailable",
    hint: silence === undefined ? next : `${next}; if it goes on like this, ${silence}`,
    cause: fault,
  });
}
