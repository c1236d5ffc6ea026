import { instantToMs } from "../../base/clock.ts";
import { type Issue, isOlder } from "../issues/issues.ts";
import { type Letter, letterOf } from "../issues/relations.ts";
import type { State } from "../state.ts";
import type { Times } from "../times.ts";
import { isPending } from "../writes/optimism.ts";
import { type LinkEnds, letterFor, linkEnds, type Peer, projectOf } from "./peers.ts";
import type { Detail } from "./state.ts";

type Show = NonNullable<Detail["show"]>;

/** The data of an issue as the screen shows it, combined from the list and the detail. */
export interface IssueView {
  readonly uid: string;
  readonly issue: Common;
  readonly letter: Letter;
  readonly project: string;
  readonly parent: Peer | undefined;
  /** Open blockers, and blockers whose state is not known here. */
  readonly blockers: readonly Peer[];
  readonly blocking: readonly Peer[];
  readonly children: { readonly open: number; readonly total: number };
  readonly lease: Show["lease"];
  /** How a closed issue was closed; `undefined` until its detail is read after the close. */
  readonly close: Show["close"];
  readonly detail: Detail | undefined;
  readonly nowMs: number;
  readonly how: Times;
}

/** An issue as the list or the detail has it. The list has no close reasons. */
type Common = (Issue & { readonly closed_reason?: undefined }) | Show["issue"];

export type IssueViewInput = Pick<State, "memo" | "issues" | "writes" | "now" | "preferences">;

/**
 * Combines what the list and the detail have of the issue. Returns `undefined` if the issue is not in the list and its
 * detail has not been read.
 */
export function issueViewOf(
  state: IssueViewInput,
  uid: string,
  detail: Detail | undefined,
): IssueView | undefined {
  const listed = state.issues.get(uid);
  const show = detail?.show;
  // The list has newer data than the detail while a changed issue is read again, and while a write is in flight.
  const isNewer =
    listed !== undefined &&
    (show === undefined || isPending(state, uid) || isOlder(show.issue, listed));
  const issue: Common | undefined = isNewer ? listed : show?.issue;
  if (issue === undefined) return undefined;
  const known = (one: string): Issue | undefined => peerOf(state, detail, one);
  const ends = linkEnds(show?.links ?? [], uid);
  const blockers = (
    listed === undefined ? ends.blockers : named(listed.blocked_by, known, ends)
  ).filter((peer) => known(peer.uid)?.status !== "closed");
  const blocking = listed === undefined ? ends.blocking : named(listed.blocks, known, ends);
  const parent = show?.parent ?? known(listed?.parent ?? "");
  const isBlocked = issue.status === "open" && blockers.length > 0;
  return {
    uid,
    issue,
    letter: listed === undefined ? letterFor(issue.status, isBlocked) : letterOf(state, listed),
    project: projectOf(issue),
    parent,
    blockers: issue.status === "open" ? blockers : [],
    blocking,
    children: listed?.child_counts ?? countOf(show),
    lease: show?.lease,
    close:
      issue.status === "closed" && issue.closed_at === show?.issue.closed_at
        ? show?.close
        : undefined,
    detail,
    nowMs: instantToMs(state.now),
    how: state,
  };
}

function countOf(show: Show | undefined): IssueView["children"] {
  const children = show?.children ?? [];
  return {
    open: children.filter(({ status }) => status === "open").length,
    total: children.length,
  };
}

function named(
  uids: readonly string[],
  known: (uid: string) => Issue | undefined,
  ends: LinkEnds,
): readonly Peer[] {
  const linked = [...ends.blockers, ...ends.blocking];
  return uids.map((uid) => {
    const peer = known(uid) ?? linked.find((one) => one.uid === uid);
    return { uid, qualified_id: peer?.qualified_id ?? uid };
  });
}

export function peerOf(
  { issues }: Pick<State, "issues">,
  detail: Detail | undefined,
  uid: string,
): Issue | undefined {
  return issues.get(uid) ?? detail?.peers?.find((peer) => peer.uid === uid);
}
