import type { ErrorCode } from "../contract/error-codes.ts";
import { SvcError } from "../contract/errors.ts";
import { ForeignError, UnavailableError } from "../shared/answer-errors.ts";
import { projectOf } from "../shared/ref.ts";
import { hintForAgent } from "./agent-hints.ts";

/** A failure that a tool itself has found. The client gets its message unchanged. */
export class ToolError extends Error {
  override readonly name = "ToolError";
}

/** The error codes whose failure text includes `data`, because a client needs `data` to act on the error. */
const CODES_WITH_DATA: ReadonlySet<string> = new Set<ErrorCode>([
  "idempotency_mismatch",
  "idempotency_deleted",
  "duplicate_candidates",
  "already_claimed",
  "revision_conflict",
]);

/**
 * The messages for some error codes on a server that reaches only some projects. They replace the daemon's own
 * messages, which can name issues of other projects.
 */
const WITHOUT_NAMES: Readonly<Partial<Record<ErrorCode, string>>> = {
  parent_has_open_children:
    "the issue still has open child issues; close them first, some may be outside this server's scope",
  sibling_throttle:
    "too many sibling issues were closed in a short time; wait a minute and verify each piece of work",
  issue_moved: "the issue was moved to a project outside this server's scope",
  duplicate_message: "this close message repeats a recent one; describe the work of this issue",
};

/**
 * Returns the text of a failed call (docs/contract/tools.md#32-text-of-a-failure). Returns `undefined` for an error of
 * an unknown kind, because its text may name files of the host.
 *
 * - `inReach` has the names of the projects that the server reaches, or is `undefined` if it reaches all projects. The
 *   text names no issues of other projects.
 * - `changes` is true for a tool that writes. If the daemon does not answer such a tool, the text says that the result
 *   may be unknown.
 */
export function failureText(
  error: unknown,
  inReach: ReadonlySet<string> | undefined,
  { changes }: { readonly changes: boolean },
): string | undefined {
  if (error instanceof ToolError) return error.message;
  if (error instanceof SvcError || error instanceof ForeignError)
    return refusalText(error, inReach);
  if (error instanceof UnavailableError) return unavailableText(error, changes);
  return undefined;
}

interface DaemonRefusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly data?: unknown;
}

function refusalText(
  { status, code, message, hint, data }: DaemonRefusal,
  inReach: ReadonlySet<string> | undefined,
): string {
  const neutral = WITHOUT_NAMES[code as ErrorCode];
  if (inReach !== undefined && neutral !== undefined) return `${status} ${code}: ${neutral}`;
  const hintPart = agentHintText(code, hint);
  const isShown = CODES_WITH_DATA.has(code) && hasMembers(data) && namesOnly(data, inReach);
  const details = isShown ? ` data: ${JSON.stringify(data)}` : "";
  return `${status} ${code}: ${message}${hintPart}${details}`;
}

/** True if all issues in `candidates` are in reach. Data without `candidates` counts as out of reach. */
function namesOnly(data: object, inReach: ReadonlySet<string> | undefined): boolean {
  if (inReach === undefined) return true;
  const { candidates } = data as {
    readonly candidates?: readonly { readonly qualified_id: string }[];
  };
  return candidates?.every(({ qualified_id }) => inReach.has(projectOf(qualified_id))) ?? false;
}

function hasMembers(data: unknown): data is object {
  return typeof data === "object" && data !== null && Object.keys(data).length > 0;
}

function unavailableText({ message, hint, code }: UnavailableError, changes: boolean): string {
  // If the daemon is too old, the request was not sent, so its result is known.
  const isOpen = changes && code !== "daemon_api_too_old";
  const advice = isOpen ? "; the result may be unknown, retry with the same key" : "";
  return `daemon unavailable: ${message}${advice}${agentHintText(code, hint)}`;
}

function agentHintText(code: string, hint: string | undefined): string {
  const shown = hintForAgent(code, hint);
  return shown === undefined ? "" : ` — ${shown}`;
}
