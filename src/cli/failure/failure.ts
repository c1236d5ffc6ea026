import { SvcError } from "../../contract/errors.ts";
import { ForeignError, UnavailableError } from "../../shared/answer-errors.ts";
import { systemFault } from "./system-fault.ts";

export type FailureKind =
  | "internal"
  | "usage"
  | "validation"
  | "not_found"
  | "conflict"
  | "confirm"
  | "daemon_unavailable"
  | "timeout"
  | "checks_failed"
  | "interrupted";

/** The exit code of each kind of failure (docs/contract/command-line.md#12-exit-codes). */
export const EXIT_CODES = {
  internal: 1,
  checks_failed: 1,
  usage: 2,
  validation: 3,
  not_found: 4,
  conflict: 5,
  confirm: 6,
  daemon_unavailable: 7,
  timeout: 8,
  // As in shells: 128 plus the number of SIGINT.
  interrupted: 130,
} as const satisfies Record<FailureKind, number>;

/** The exit code when `--claim` or `--lease` finds no issue to take. It ends a shell loop; no error is printed. */
export const NOTHING_LEFT = 9;

export interface Failure {
  readonly kind: FailureKind;
  readonly message: string;
  readonly code?: string;
  readonly hint?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A failure that the command itself detects, such as wrong flags (`usage`) or an invalid value (`validation`). */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly failure: Failure;

  constructor(kind: FailureKind, message: string, more: Omit<Failure, "kind" | "message"> = {}) {
    super(message);
    this.failure = { ...more, kind, message };
  }
}

export function usage(message: string, hint?: string): CommandError {
  return new CommandError("usage", message, hint === undefined ? {} : { hint });
}

export function failureOf(error: unknown): Failure {
  if (error instanceof CommandError) return error.failure;
  if (error instanceof SvcError || error instanceof ForeignError) return ofRefusal(error);
  if (error instanceof UnavailableError) {
    return {
      kind: "daemon_unavailable",
      code: error.code,
      message: error.message,
      ...hintOf(error),
    };
  }
  const fault = systemFault(error);
  if (fault !== undefined) return { kind: "internal", ...fault };
  return { kind: "internal", message: error instanceof Error ? error.message : String(error) };
}

/**
 * The kind of the failure depends on the HTTP status; the daemon's error code is kept
 * (docs/contract/command-line.md#12-exit-codes). If the daemon does not know the outcome of a change, the kind is the
 * same as if the daemon's answer was lost.
 */
function ofRefusal(error: SvcError | ForeignError): Failure {
  const { code, message, data, status } = error;
  return {
    kind: code === "outcome_unknown" ? "daemon_unavailable" : kindOfStatus(status),
    code,
    // The message alone does not say that the revision is the problem.
    message: code === "revision_conflict" ? `revision conflict: ${message}` : message,
    ...hintOf(error),
    ...(Object.keys(data).length === 0 ? {} : { data }),
  };
}

function hintOf({ hint }: { readonly hint: string | undefined }): Pick<Failure, "hint"> {
  return hint === undefined ? {} : { hint };
}

function kindOfStatus(status: number): FailureKind {
  if (status === 400) return "validation";
  if (status === 404) return "not_found";
  if (status === 409) return "conflict";
  return status === 412 ? "confirm" : "internal";
}
