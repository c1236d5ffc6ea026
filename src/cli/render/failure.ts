import { withoutTokens } from "../../base/secret.ts";
import { escapeControls } from "../../base/visible.ts";
import { manyLines, oneLine } from "../../shared/text.ts";
import { EXIT_CODES, type Failure } from "../failure/failure.ts";
import type { Mode } from "../output/mode.ts";

/**
 * The text of a failure on stderr (docs/contract/command-line.md#13-streams-and-failures). `command` is the last word
 * of the command's name.
 */
export function failureText(failure: Failure, mode: Mode, command: string): string {
  const texts = { json: jsonFailure, agent: agentFailure, human: humanFailure };
  return withoutTokens(texts[mode](failure, command));
}

function jsonFailure({ kind, code, message, hint, data }: Failure): string {
  const exit_code = EXIT_CODES[kind];
  return escapeControls(JSON.stringify({ error: { kind, code, message, exit_code, hint, data } }));
}

function humanFailure(failure: Failure): string {
  const lines = [
    `svc: ${manyLines(failure.message)}`,
    ...candidatesOf(failure).map(candidateLine),
    ...errorsOf(failure)
      .filter((text) => text !== failure.message)
      .map((text) => `  ${text}`),
  ];
  return [
    ...lines,
    ...(failure.hint === undefined ? [] : [`hint: ${manyLines(failure.hint)}`]),
  ].join("\n");
}

function agentFailure(failure: Failure, command: string): string {
  const [first = ""] = failure.message.split("\n");
  const refs = refsIn(failure);
  const named = refs.length === 0 ? "" : ` (${refs.join(", ")})`;
  return [
    `ERR ${command} ${failure.kind}: ${oneLine(first)}${oneLine(named)}`,
    ...errorsOf(failure).map((text) => `Error: ${text}`),
    ...(failure.hint === undefined ? [] : [`Hint: ${oneLine(failure.hint)}`]),
    ...(failure.code === undefined ? [] : [`Code: ${failure.code}`]),
    `Exit-Code: ${EXIT_CODES[failure.kind]}`,
  ].join("\n");
}

/** Returns the messages in the failure's data: all faults of the request, or the conflicts that prevent an undo. */
function errorsOf({ data = {} }: Failure): readonly string[] {
  const { errors, conflicts } = data;
  if (Array.isArray(conflicts))
    return conflicts
      .filter((one) => hasText(one, "message"))
      .map(({ message }) => oneLine(message));
  if (!Array.isArray(errors)) return [];
  return errors
    .filter((one) => hasText(one, "field", "message"))
    .map(({ field, message }) => oneLine(`${field}: ${message}`));
}

/**
 * True if these members of the value are strings. A failure's data may have any form, since any daemon may have sent
 * it.
 */
function hasText<Key extends string>(
  value: unknown,
  ...keys: readonly Key[]
): value is Readonly<Record<Key, string>> {
  if (typeof value !== "object" || value === null) return false;
  return keys.every((key) => typeof Reflect.get(value, key) === "string");
}

interface Candidate {
  readonly qualified_id: string;
  readonly title?: string;
}

function candidateLine({ qualified_id, title }: Candidate): string {
  return `  ${oneLine(qualified_id)}${title === undefined ? "" : `  ${oneLine(title)}`}`;
}

/**
 * The issues that the error lists: similar issues, or the issue that an earlier request with the same idempotency key
 * wrote.
 */
function candidatesOf({ data = {} }: Failure): readonly Candidate[] {
  const { candidates } = data;
  return Array.isArray(candidates) ? candidates.filter(isCandidate) : [];
}

function refsIn(failure: Failure): readonly string[] {
  const { data = {} } = failure;
  const own = typeof data["qualified_id"] === "string" ? [data["qualified_id"]] : [];
  return [...own, ...candidatesOf(failure).map(({ qualified_id }) => qualified_id)];
}

function isCandidate(value: unknown): value is Candidate {
  return hasText(value, "qualified_id") && (!("title" in value) || hasText(value, "title"));
}
