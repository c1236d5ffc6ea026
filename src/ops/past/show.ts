import { SvcError } from "../../contract/errors.ts";
import type { StoredEvent } from "../../contract/events.ts";
import type { FoldOrder } from "../../domain/order.ts";
import { parseRef } from "../../domain/refs.ts";
import type { StoredIssue, StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { type CommentQuery, pageOfComments } from "../comments/page.ts";
import type { ReadDeps } from "../deps.ts";
import { type IssueParams, issueNamed, noIssue, refuseLostName, requireProject } from "../find.ts";
import { showIssueOut } from "../out/show.ts";
import { childrenOf, issueThrough } from "./load.ts";
import { momentOf } from "./moment.ts";
import { pastOf } from "./past.ts";
import { pastView } from "./view.ts";

/**
 * Shows an issue as it was at a moment of the past. The issue is found by its current name, or by the short id that it
 * had in the project before it moved. An issue that was deleted after that moment is shown.
 */
export async function showPast(
  deps: Pick<ReadDeps, "store" | "clock" | "settings">,
  params: IssueParams,
  when: PastShown,
) {
  return await deps.store.read(async (reader) => {
    const { uid } = await requireEver(reader, params);
    return await issueAt(deps, reader, { uid, ref: params.ref }, when);
  });
}

export interface PastShown {
  readonly at: string;
  /** True to show the issue even if it was deleted at that moment. */
  readonly deleted: boolean;
  readonly comments: CommentQuery;
}

/** Returns the issue as it was at the moment `at`. An error message names the issue by `ref`. */
export async function issueAt(
  { clock, settings }: Pick<ReadDeps, "clock" | "settings">,
  reader: Reader,
  { uid, ref }: { readonly uid: string; readonly ref: string },
  { at, deleted, comments }: PastShown,
) {
  const as_of = await momentOf(reader, at, clock);
  const past = pastOf(await issueThrough(reader, uid, as_of.event_id));
  const shown = [uid, ...childrenOf(past.state, uid)];
  const view = await pastView(reader, past, shown, settings.timezone);
  const issue = (await view.issues.many([uid])).get(uid);
  if (issue === undefined) throw notYet(ref, as_of.at);
  if (issue.deleted_at !== null && !deleted) throw noIssue(ref);
  const shownThen = await showIssueOut(view, issue, {
    comments: async () => pageOfComments(await view.comments.of(uid), comments),
    leaseNow: async () => as_of.at,
    close: async () => {
      const events = await reader.past.ofIssues([uid], as_of.event_id);
      return closeIn(await reader.past.order(as_of.event_id), events, uid);
    },
  });
  return { ...shownThen, as_of };
}

function closeIn(order: FoldOrder, events: readonly StoredEvent[], uid: string) {
  return order
    .sorted(events)
    .findLast(
      (event): event is StoredEvent<"issue.closed"> =>
        event.type === "issue.closed" && event.issue_uid === uid,
    );
}

async function requireEver(reader: Reader, { project_id, ref }: IssueParams): Promise<StoredIssue> {
  const project = await requireProject(reader, project_id);
  const parsed = parseRef(ref);
  const issue =
    parsed?.kind === "uid"
      ? await reader.issues.find(parsed.uid)
      : parsed?.kind === "qualified" && parsed.project !== project.name
        ? undefined
        : await namedEver(reader, project, parsed?.short_id, ref);
  if (issue === undefined || issue.project_deleted_at !== null) throw noIssue(ref);
  return issue;
}

/**
 * Finds an issue by its current name or an earlier one. A short id that an issue had in this project earlier takes
 * precedence over an id from another tracker.
 */
async function namedEver(
  reader: Reader,
  project: StoredProject,
  short_id: string | undefined,
  text: string,
): Promise<StoredIssue | undefined> {
  const current =
    short_id === undefined ? undefined : await reader.issues.findByShortId(project.uid, short_id);
  if (current !== undefined && short_id !== undefined)
    await refuseLostName(reader, current, short_id);
  const own =
    current ??
    (short_id === undefined
      ? undefined
      : await reader.issues.findByFormerId(project.uid, short_id));
  return own ?? (await issueNamed(reader, project, undefined, text));
}

function notYet(ref: string, at: string): SvcError {
  const message = `there was no ${ref} at ${at}`;
  return new SvcError(
    "issue_not_found",
    { ref, at },
    { message, hint: `svc log ${ref} tells more` },
  );
}
