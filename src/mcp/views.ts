import type { z } from "zod";
import type { listAllIssues } from "../contract/issues.ts";
import type { Comment, Event, MutationResponse } from "../contract/objects.ts";
import type { Output } from "../contract/route.ts";
import type { OutputOf } from "../contract/shape.ts";
import type { NamedProject } from "../shared/project-choice.ts";
import { firstRows, textWithin } from "./budget.ts";
import { ToolError } from "./failure.ts";
import type { IssueSummary } from "./objects.ts";
import type { Scope } from "./scope.ts";

/** An issue in a list of the daemon, reduced to the members that a summary needs. */
export type ListedIssue = Pick<
  Output<typeof listAllIssues>["issues"][number],
  | "id"
  | "uid"
  | "project_id"
  | "short_id"
  | "qualified_id"
  | "title"
  | "status"
  | "owner"
  | "priority"
  | "labels"
  | "revision"
  | "created_at"
  | "updated_at"
  | "metadata"
> & { readonly blocked?: boolean };

/** The fields that a summary needs. Only these are requested, so that the daemon does not send bodies. */
export const SUMMARY_FIELDS =
  "id,uid,project_id,short_id,qualified_id,title,status,owner,priority,labels,blocked,revision,created_at,updated_at,metadata";

/** A row has at most this many labels; `svc.show` says how many more the issue has. */
const MAX_ROW_LABELS = 20;

type Summary = z.input<typeof IssueSummary>;

export function summaryOf(issue: ListedIssue, scope: Scope): Summary {
  const { uid, short_id, qualified_id, title, status, owner, priority, labels, blocked } = issue;
  const { revision, updated_at, metadata } = issue;
  return {
    uid,
    ref: scope.isBound ? short_id : qualified_id,
    qualified_ref: qualified_id,
    title,
    status,
    ...(owner === undefined ? {} : { owner }),
    ...(priority === undefined ? {} : { priority }),
    ...(labels.length === 0 ? {} : { labels: labels.slice(0, MAX_ROW_LABELS) }),
    ...(blocked === true ? { blocked } : {}),
    revision,
    updated_at,
    ...textOf(metadata, "scheduled_on"),
    ...textOf(metadata, "timezone"),
  };
}

function textOf<Key extends string>(
  metadata: Readonly<Record<string, unknown>>,
  key: Key,
): { readonly [K in Key]?: string } {
  const value = metadata[key];
  return typeof value === "string" ? ({ [key]: value } as { readonly [K in Key]: string }) : {};
}

/**
 * Returns `project` if the call reads only one project (`isSingle`), otherwise `projects` with the projects of the
 * issues in the answer.
 */
export function scopePair(
  projects: readonly NamedProject[],
  isSingle: boolean,
  issues: readonly Pick<ListedIssue, "project_id">[],
): { readonly project?: NamedProject; readonly projects?: NamedProject[] } {
  const [only] = projects;
  if (isSingle && only !== undefined) return { project: only };
  const shown = new Set(issues.map((issue) => issue.project_id));
  return { projects: projects.filter(({ id }) => shown.has(id)) };
}

type CommentRow = OutputOf<typeof Comment>;

/** Returns a comment in the form for clients, without the ids of the daemon's tables. */
export function commentOf({ uid, author, body, created_at, teammate }: CommentRow) {
  const credited = teammate === undefined ? {} : { teammate };
  return { uid, author, body, created_at, ...credited };
}

/** The answer to a write repeats at most this many bytes of the title, since the client knows what it wrote. */
const ECHO_BYTES = 120;

/** The answer to a write repeats only the first labels of the issue that fit into this many bytes. */
const ECHO_LABEL_BYTES = 100;

/** A warning that comes with the answer to a write is cut after this many bytes. */
const WARNING_BYTES = 400;

type Change = OutputOf<typeof MutationResponse>;

type WrittenIssue = Pick<Change, "changed"> &
  Partial<Pick<Change, "event" | "original_event" | "reused" | "warnings">> & {
    readonly issue: ListedIssue;
  };

type EventRow = OutputOf<typeof Event>;

export function eventOf({ uid, type, actor }: EventRow) {
  return { uid, type, actor };
}

/** Returns the answer to a write, with its texts cut. */
export async function writtenOf(project: NamedProject, answer: WrittenIssue, scope: Scope) {
  await requireInReach(answer.issue, scope);
  const event = answer.event ?? answer.original_event;
  return {
    project,
    issue: echoOf(answer.issue, scope),
    changed: answer.changed,
    ...(answer.reused === true ? { reused: true } : {}),
    ...(event === undefined ? {} : { event: eventOf(event) }),
    ...warningsOf(answer),
  };
}

/** The warnings of the daemon as texts, each cut. */
function warningsOf({ warnings = [] }: Pick<WrittenIssue, "warnings">) {
  if (warnings.length === 0) return {};
  return { warnings: warnings.map(({ message }) => shortened(message, WARNING_BYTES)) };
}

/**
 * Refuses an issue of a project that is out of reach. Needed also after a write: a repeated request gets the answer to
 * the first one, and the issue may have moved to another project since then.
 */
async function requireInReach({ project_id }: ListedIssue, scope: Scope): Promise<void> {
  if (!scope.isLimited) return;
  if ((await scope.projects()).some(({ id }) => id === project_id)) return;
  throw new ToolError("the issue was moved to a project outside this server's scope");
}

/** Returns the summary of an issue that was just written, with its texts cut. */
export function echoOf(issue: ListedIssue, scope: Scope): Summary {
  const summary = summaryOf(issue, scope);
  const { labels } = summary;
  const kept = labels && firstRows(labels, { rows: labels.length, bytes: ECHO_LABEL_BYTES });
  return {
    ...summary,
    title: shortened(summary.title, ECHO_BYTES),
    ...(kept && { labels: [...kept] }),
  };
}

/** Returns the text, or its beginning and an ellipsis if it takes more than `bytes`. */
export function shortened(text: string, bytes: number): string {
  const kept = textWithin(text, bytes);
  return kept.length < text.length ? `${kept}…` : text;
}

/** Returns the short ref of a qualified ref: `ab3d` for `demo#ab3d`. */
export function shortRef(qualified: string): string {
  return qualified.slice(qualified.lastIndexOf("#") + 1);
}
