import { instantToMs } from "../../src/base/clock.ts";
import { withEdits } from "../../src/screen/detail/edits.ts";
import { letterFor, linkEnds, type Peer, projectOf } from "../../src/screen/detail/peers.ts";
import { dueAt } from "../../src/screen/issues/due.ts";
import { standingFor } from "../../src/screen/issues/parts.ts";
import type { Times } from "../../src/screen/times.ts";
import type { IssueFacts } from "../parts/issue/facts.tsx";
import type { PeerIssueFields, ShowAnswer } from "./answers.ts";
import type { SvcIssueProperties, SvcReference } from "./given.ts";

/** What a host has given, with an issue. */
export type Given = SvcIssueProperties & { readonly issue: ShowAnswer };

/** The values that the parts of the detail show, made from the given answers. */
export function valuesOf(given: Given, how: Times) {
  const { issue, comments, links, children, parent, close, lease } = given.issue;
  const peers = new Map((given.peers?.issues ?? []).map((peer) => [peer.uid, peer]));
  const ends = linkEnds(links, issue.uid);
  const isOpen = issue.status === "open";
  const blockers = isOpen ? ends.blockers.filter(({ uid }) => !isClosed(peers.get(uid))) : [];
  // A blocker that was not given may be closed.
  const isBlocked = blockers.some(({ uid }) => peers.has(uid));
  const project = projectOf(issue);
  const shown: IssueFacts = {
    ...{ uid: issue.uid, issue, project, parent, blockers, blocking: ends.blocking, lease, how },
    letter: letterFor(issue.status, isBlocked),
    close: isOpen ? undefined : close,
  };
  const titles = new Map(
    [...peers.values(), ...children, ...(parent === undefined ? [] : [parent])].map(
      ({ uid, title }) => [uid, title],
    ),
  );
  const shownComments = given.comments?.comments ?? comments;
  const events = given.events?.events;
  return {
    shown,
    // What is waiting for a date, or for a blocker that was not given, is not told from what is ready.
    standing: isBlocked ? "blocked" : "open",
    due: dueAt(issue, instantToMs(how.now), how.preferences.zone),
    children: children.map((child) => ({ ...child, is: standingFor(child.status, child.blocked) })),
    links,
    titleOf: (uid: string) => titles.get(uid),
    letterOf: (uid: string) => {
      const peer = peers.get(uid);
      return peer === undefined ? "?" : letterFor(peer.status, peer.blocked);
    },
    comments: withEdits(shownComments, events ?? []),
    commentCount: Math.max(given.issue.comment_count ?? 0, shownComments.length),
    events,
  };
}

function isClosed(peer: PeerIssueFields | undefined): boolean {
  return peer?.status === "closed";
}

/** The issue that a click means. `ref` is a uid of the given answers, or a qualified id in a text. */
export function referenceOf({ issue: show, peers }: Given, ref: string): SvcReference {
  const { issue, parent, links, children } = show;
  const known: readonly Peer[] = [
    issue,
    ...(parent === undefined ? [] : [parent]),
    ...links.flatMap(({ from, to }) => [from, to]),
    ...children,
    ...(peers?.issues ?? []),
  ];
  const found = known.find(({ uid, qualified_id }) => uid === ref || qualified_id === ref);
  return found === undefined ? { name: ref } : { name: found.qualified_id, uid: found.uid };
}
