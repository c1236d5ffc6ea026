import type { ErrorCode } from "../contract/error-codes.ts";
import { SvcError } from "../contract/errors.ts";
import { ForeignError, UnavailableError } from "../shared/answer-errors.ts";

/** A failure found by a tool itself. The client reads its message as it is. */
export class ToolError extends Error {
  override readonly name = "ToolError";
}

/** The error codes whose `data` is added to the text, because a client needs it to act on the error. */
const WITH_DATA: ReadonlySet<string> = new Set<ErrorCode>([
  "idempotency_mismatch",
  "idempotency_deleted",
  "duplicate_candidates",
  "already_claimed",
  "revision_conflict",
]);

/**
 * The messages used instead of the daemon's by a server that reaches only some projects. The daemon's messages for
 * these codes can name issues of other projects.
 */
const WITHOUT_NAMES: Readonly<Partial<Record<ErrorCode, string>>> = {
  parent_has_open_children:
    "the issue still has open child issues; close them first, some may be outside this server's scope",
  sibling_throttle:
    "too many sibling issues were closed in a short time; wait a minute and verify each piece of work",
  duplicate_message: "this close message repeats a recent one; describe the work of this issue",
};

/**
 * Returns the text of a failed call (facts mcp 3.2). With `isPartial` (the server reaches only some projects) it leaves
 * out what may name issues of other projects. Throws errors of an unknown kind again.
 */
export function failureText(
  error: unknown,
  { isPartial }: { readonly isPartial: boolean },
): string {
  if (error instanceof ToolError) return error.message;
  if (error instanceof SvcError || error instanceof ForeignError)
    return refusalText(error, isPartial);
  if (error instanceof UnavailableError) return unavailableText(error);
  throw error;
}

interface DaemonRefusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly data?: unknown;
}

function refusalText({ status, code, message, hint, data }: DaemonRefusal, isPartial: boolean) {
  const neutral = WITHOUT_NAMES[code as ErrorCode];
  if (isPartial && neutral !== undefined) return `${status} ${code}: ${neutral}`;
  const cure = hint === undefined ? "" : ` — ${hint}`;
  const details =
    WITH_DATA.has(code) && !isPartial && hasMembers(data) ? ` data: ${JSON.stringify(data)}` : "";
  return `${status} ${code}: ${message}${cure}${details}`;
}

function hasMembers(data: unknown): data is object {
  return typeof data === "object" && data !== null && Object.keys(data).length > 0;
}

function unavailableText({ message, hint }: UnavailableError): string {
  return `daemon unavailable: ${message}${hint === undefined ? "" : ` — ${hint}`}`;
}
