import { errorCode } from "../../base/error-code.ts";
import { SvcError } from "../../contract/errors.ts";
import { ForeignError } from "../../shared/answer-errors.ts";
import type { CronJob } from "../cron/state.ts";
import type { MessageOf } from "../message.ts";
import type { Write } from "../writes/writes.ts";

export function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { cause } = error;
  return cause instanceof Error && "kind" in cause && cause.kind === "timeout";
}

export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const hint = "hint" in error && typeof error.hint === "string" ? `: ${error.hint}` : "";
  return `${error.message}${hint}`;
}

/** Whether the daemon does not accept the caller. Only another credential or other settings of the daemon help then. */
export function isCallerRefused(error: unknown): boolean {
  return error instanceof SvcError && (error.status === 401 || error.status === 403);
}

type Refused = Omit<MessageOf<"refused">, "type" | "id">;

/** Whether the caller may not use the route, or the daemon does not have it. */
export function isForbidden(error: unknown): boolean {
  const status = statusOf(error);
  return status === 404 || FORBIDDEN.has(status);
}

/** The HTTP status of a refusal; 0 if there was no answer. */
export function statusOf(error: unknown): number {
  return error instanceof SvcError || error instanceof ForeignError ? error.status : 0;
}

export function refusalOf(error: unknown, write: Write): Refused {
  const code = errorCode(error) ?? "";
  const text = inWords(textOf(error), write);
  const field = fieldIn(error, write);
  // Who may not administer bridges may still change issues.
  const forbidden = FORBIDDEN.has(statusOf(error)) && write.act !== "bridge";
  const refused = { code, text, field, forbidden };
  const { candidates: found, current } =
    error instanceof SvcError ? (error.data as Readonly<Record<string, unknown>>) : {};
  // By the contract, a refusal with the code `cron_conflict` contains the job.
  if (code === "cron_conflict") return { ...refused, current: current as CronJob };
  return Array.isArray(found)
    ? { ...refused, text: messageOf(error), candidates: found.map(nameOf) }
    : refused;
}

/**
 * The name of the refused form field. A new issue has no links except its parent, so an error about links is about the
 * parent.
 */
function fieldIn(error: unknown, { act }: Write): string | undefined {
  if (!(error instanceof SvcError)) return undefined;
  if (error.code === "issue_not_found" && act === "create") return "parent";
  if (error.code === "issue_not_found" && act === "create-series") return "first";
  const { field } = error.data as Readonly<Record<string, unknown>>;
  // A field of a series' template, such as `template.title`, is called `title` in the form.
  const named = typeof field === "string" ? field.replace(/^template\./, "") : undefined;
  const [name] = named?.split(/[.[]/, 1) ?? [];
  return name === "links" ? "parent" : name;
}

const FORBIDDEN: ReadonlySet<number> = new Set([401, 403, 405]);

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function nameOf(candidate: { readonly qualified_id: string; readonly title: string }): string {
  return `${candidate.qualified_id}  ${candidate.title}`;
}

/** The text of a refusal of a series, with the labels of the form instead of the request's field names. */
export function seriesRefusal(text: string): string {
  return text
    .replace(/^rrule: /, "Rule: ")
    .replace(/^dtstart: /, "First day: ")
    .replace(/^timezone: /, "Time zone: ")
    .replace(/^template\.labels: /, "Labels: ")
    .replace(/^initial_issue_ref: /, "First issue: ");
}

/** Replaces the request's field names by what the person typed. */
function inWords(text: string, write: Write): string {
  if (write.act === "create-series" || write.act === "edit-series") return seriesRefusal(text);
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
