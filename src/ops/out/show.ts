import type { Instant } from "../../base/clock.ts";
import type { StoredEvent } from "../../contract/events.ts";
import { isLeased, isUnreleased } from "../../domain/leases.ts";
import { qualifiedId } from "../../domain/refs.ts";
import type { LinkRow } from "../../domain/state.ts";
import type { Bridges } from "../../store/types/bridges.ts";
import type { Issues, Labels, Links } from "../../store/types/issues.ts";
import type { StoredIssue, WithId } from "../../store/types/rows.ts";
import type { Marks } from "../../store/types/store.ts";
import type { Leases } from "../../store/types/work.ts";
import type { CommentPage } from "../comments/page.ts";
import type { requestsOn } from "../inbox/askers.ts";
import { commentOut } from "./comments.ts";
import { isHidden, issueCore, issuesOut } from "./issues.ts";
import { labelOut } from "./labels.ts";
import { leaseOut } from "./leases.ts";
import { linkOut } from "./links.ts";
import { rootOut } from "./root.ts";
import { syncedOut } from "./synced.ts";

/** Reads everything about an issue: from the current tables, or from a view of the past. */
export interface IssueReader {
  readonly issues: Pick<Issues, "many" | "peers" | "children">;
  readonly labels: Pick<Labels, "of" | "many">;
  readonly links: Pick<Links, "touching" | "endsTouching">;
  readonly leases: Pick<Leases, "of">;
  /** Absent for the past, because past bindings to a code host are not known. */
  readonly marks?: Pick<Marks, "syncedIssues">;
  /** Absent for the past, like `marks`. */
  readonly bridges?: Pick<Bridges, "owners">;
}

type Close = StoredEvent<"issue.closed">;

/** Functions that read further data. They are called only for issues that need the data. */
interface ShowReaders {
  comments(): Promise<CommentPage>;
  leaseNow(): Promise<Instant>;
  close(): Promise<Close | undefined>;
  /**
   * Reads the attention requests on the issue. Absent for a state of the past, since the senders are looked up only for
   * current requests.
   */
  requests?(): Promise<Awaited<ReturnType<typeof requestsOn>>>;
}

/**
 * An issue with everything that belongs to it (docs/contract/http-api.md#30-shared-objects, ShowIssue). Links to hidden
 * issues are left out. The current time is read only if there is a lease that may have expired.
 */
export async function showIssueOut(
  reader: IssueReader,
  issue: StoredIssue,
  { comments, leaseNow, close, requests }: ShowReaders,
) {
  const lease = await reader.leases.of(issue.uid);
  const now = isUnreleased(lease) ? await leaseNow() : "";
  const { rows, all, older } = await comments();
  const labels = await reader.labels.of(issue.uid);
  const links = await reader.links.touching([issue.uid]);
  const peers = await peersOf(reader, issue, links);
  const synced = await reader.marks?.syncedIssues([issue.uid]);
  const roots = await reader.bridges?.owners([issue.uid]);
  const openRequests = (await requests?.()) ?? [];
  const children = (await reader.issues.children(issue.uid)).filter((child) => !isHidden(child));
  const parent = links.find(({ type, from_uid }) => type === "parent" && from_uid === issue.uid);
  const parentIssue = parent === undefined ? undefined : peers.get(parent.to_uid);
  return {
    issue: {
      ...issueCore(issue),
      labels: labels.map(({ label }) => label).sort(),
      ...syncedOut(synced?.get(issue.uid)),
      ...rootOut(roots?.get(issue.uid)),
    },
    ...(issue.status === "closed" ? closeOut(issue, await close()) : {}),
    comments: rows.map((comment) => commentOut(comment, issue)),
    ...(rows.length === all ? {} : { comment_count: all }),
    ...(older === undefined ? {} : { older_comment_count: older }),
    links: links.flatMap((link) => {
      const [from, to] = [peers.get(link.from_uid), peers.get(link.to_uid)];
      return from === undefined || to === undefined ? [] : [linkOut(link, from, to)];
    }),
    labels: labels.map((label) => labelOut(label, issue)),
    ...(parentIssue === undefined ? {} : { parent: issueRefOut(parentIssue) }),
    children: await issuesOut(reader, children),
    ...(openRequests.length === 0
      ? {}
      : { requests: openRequests.map((request) => ({ ...request })) }),
    ...(isLeased(lease, now) ? { lease: leaseOut(lease, issue), lease_hub_now: now } : {}),
  };
}

/**
 * The last close of the issue as answers show it. Empty if the close has another time than the issue's `closed_at`,
 * because then an import closed the issue.
 */
function closeOut({ closed_at }: StoredIssue, event: Close | undefined) {
  if (event === undefined || event.payload.closed_at !== closed_at) return {};
  const { reason, message, evidence } = event.payload;
  return {
    close: {
      event_id: event.id,
      actor: event.actor,
      reason,
      ...(message === undefined ? {} : { message }),
      ...(evidence === undefined ? {} : { evidence: [...evidence] }),
    },
  };
}

async function peersOf(
  reader: IssueReader,
  issue: StoredIssue,
  links: readonly WithId<LinkRow>[],
): Promise<ReadonlyMap<string, StoredIssue>> {
  const uids = new Set(links.flatMap(({ from_uid, to_uid }) => [from_uid, to_uid]));
  uids.delete(issue.uid);
  const peers = uids.size === 0 ? [] : [...(await reader.issues.many([...uids])).values()];
  const shown = peers.filter((peer) => !isHidden(peer));
  return new Map([issue, ...shown].map((each) => [each.uid, each]));
}

export function issueRefOut(issue: StoredIssue) {
  return {
    uid: issue.uid,
    short_id: issue.short_id,
    qualified_id: qualifiedId(issue.project_name, issue.short_id),
    title: issue.title,
    status: issue.status,
  };
}
