/**
 * Why there is no usable answer (docs/contract/command-line.md#13-streams-and-failures and
 * docs/contract/command-line.md#17-requests):
 *
 * - `daemon_unavailable`: no answer came. A change that was sent may have been made.
 * - `create_outcome_unknown`: no answer came to the request to create an issue. The issue may have been created.
 * - `daemon_api_too_old`: the daemon is too old for the request, so nothing was sent.
 */
export type UnavailableCode =
  | "daemon_unavailable"
  | "create_outcome_unknown"
  | "daemon_api_too_old";

/** There is no usable answer from the daemon (exit code 7). */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
  readonly code: UnavailableCode;
  readonly hint: string | undefined;

  constructor(
    message: string,
    more: {
      readonly code?: UnavailableCode;
      readonly hint?: string;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.code = more.code ?? "daemon_unavailable";
    this.hint = more.hint;
  }
}

/** A daemon that did not answer. */
export interface SilentDaemon {
  /** The address in the form that `svc daemon locate` prints. */
  readonly address: string;
  /** Absent for a daemon on another machine. */
  readonly pid?: number;
}

export function unansweredMessage({ address, pid }: SilentDaemon): string {
  const name = pid === undefined ? "the daemon" : `the daemon (pid ${pid})`;
  return `${name} at ${address} did not answer in time`;
}

/** A hint for the user when a daemon of this machine does not answer. */
export function silenceHint({ pid }: SilentDaemon): string | undefined {
  if (pid === undefined) return undefined;
  return `look into its log with svc daemon logs, or end it with svc daemon stop --force (pid ${pid})`;
}

/** A refusal with an unknown code, from a newer daemon or from a hub. */
export class ForeignError extends Error {
  override readonly name = "ForeignError";
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.status = refusal.status;
    this.code = refusal.code;
    this.hint = refusal.hint;
    this.data = refusal.data;
  }
}

/** The body of an error response (docs/contract/http-api.md#12-error-body). */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}
