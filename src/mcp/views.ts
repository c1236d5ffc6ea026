import type { z } from "zod";
import type { listAllIssues } from "../contract/issues.ts";
import type { Output } from "../contract/route.ts";
import type { IssueSummary } from "./objects.ts";
import type { Project, Scope } from "./scope.ts";

/** An issue as the daemon's lists answer it, with the members that a summary needs. */
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

/** The fields that a summary needs, asked of the daemon so that no body travels. */
export const SUMMARY_FIELDS =
  "id,uid,project_id,short_id,qualified_id,title,status,owner,priority,labels,blocked,revision,created_at,updated_at,metadata";

/** A row shows this many labels at most; `svc.show` has them all. */
const MAX_ROW_LABELS = 20;

type Summary = z.input<typeof IssueSummary>;

/** One row of a list. */
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

/** The projects of an answer: the only one as `project`, otherwise those of the rows as `projects`. */
export function scopePair(
  projects: readonly Project[],
  isSingle: boolean,
  issues: readonly Pick<ListedIssue, "project_id">[],
): { readonly project?: Project; readonly projects?: Project[] } {
  const [only] = projects;
  if (isSingle && only !== undefined) return { project: only };
  const shown = new Set(issues.map((issue) => issue.project_id));
  return { projects: projects.filter(({ id }) => shown.has(id)) };
}

interface CommentRow {
  readonly uid: string;
  readonly author: string;
  readonly body: string;
  readonly created_at: string;
  readonly teammate?: string | undefined;
}

/** A comment without the ids of this daemon's tables. */
export function commentOf({ uid, author, body, created_at, teammate }: CommentRow) {
  const credited = teammate === undefined ? {} : { teammate };
  return { uid, author, body, created_at, ...credited };
}
