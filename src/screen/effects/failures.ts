import { SvcError } from "../../contract/errors.ts";
import { ForeignError } from "../../shared/answer-errors.ts";
import type { CronJob } from "../cron/state.ts";
import type { Write } from "../writes/writes.ts";

/** Whether the daemon was still busy with it when the time for an answer was over. */
export function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { cause } = error;
  return cause instanceof Error && "kind" in cause && cause.kind === "timeout";
}

/** What a person reads when something did not work: the message, and what mends it where that is known. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const hint = "hint" in error && typeof error.hint === "string" ? `: ${error.hint}` : "";
  return `${error.message}${hint}`;
}

/** A refused write as the screen tells it. */
export interface Refused {
  readonly code: string;
  readonly text: string;
  /** Which part of what was typed it is about, where the daemon says so. */
  readonly field?: string | undefined;
  /** Issues that look like the one that was to be made. */
  readonly candidates?: readonly string[];
  /** The job as it is now, where the change was made against another state of it. */
  readonly current?: CronJob;
  /** Not this change but every one is refused: by the credential, or by a daemon that takes none. */
  readonly forbidden: boolean;
}

/** The route is closed to whoever asks: by the credential, by the daemon, or because it has no such route. */
export function isForbidden(error: unknown): boolean {
  const status = statusOf(error);
  return status === 404 || FORBIDDEN.has(status);
}

/** What the daemon answered with; 0 where it gave no reason, or no answer. */
export function statusOf(error: unknown): number {
  return error instanceof SvcError || error instanceof ForeignError ? error.status : 0;
}

export function refusalOf(error: unknown, write: Write): Refused {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const text = inWords(textOf(error), write);
  const field = fieldIn(error, write);
  const refused = { code, text, field, forbidden: FORBIDDEN.has(statusOf(error)) };
  const { candidates: found, current } =
    error instanceof SvcError ? (error.data as Readonly<Record<string, unknown>>) : {};
  // What a refused change of a job carries is the job (contract, cron_conflict).
  if (code === "cron_conflict") return { ...refused, current: current as CronJob };
  return Array.isArray(found)
    ? { ...refused, text: messageOf(error), candidates: found.map(nameOf) }
    : refused;
}

/** The daemon names its own fields; the parent of a new issue is its only link, and the only issue that it may not find. */
function fieldIn(error: unknown, { act }: Write): string | undefined {
  if (!(error instanceof SvcError)) return undefined;
  if (error.code === "issue_not_found" && act === "create") return "parent";
  const { field } = error.data as Readonly<Record<string, unknown>>;
  const [name] = typeof field === "string" ? field.split(/[.[]/, 1) : [];
  return name === "links" ? "parent" : name;
}

const FORBIDDEN: ReadonlySet<number> = new Set([401, 403, 405]);

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function nameOf(candidate: { readonly qualified_id: string; readonly title: string }): string {
  return `${candidate.qualified_id}  ${candidate.title}`;
}

/** The daemon names a value by its place in the request, a person by what was typed. */
function inWords(text: string, write: Write): string {
  const labels = "labels" in write ? write.labels : "label" in write ? [write.label] : [];
  const parent = "parent" in write ? write.parent : undefined;
  return text
    .replaceAll(/\blabels?(?:\[(\d+)\])?: /g, (field, place = "0") => {
      const label = labels[Number(place)];
      return label === undefined ? field : `the label ${JSON.stringify(label)} `;
    })
    .replace(/\blinks\[0\]\.to_ref: /, (field) =>
      parent === undefined ? field : `the parent ${JSON.stringify(parent)} `,
    );
}
