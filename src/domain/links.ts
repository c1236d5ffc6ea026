import { invalid, SvcError } from "../contract/errors.ts";
import type { Payload } from "../contract/events.ts";
import { linkEnds } from "./evolve/links.ts";
import { qualifiedId } from "./refs.ts";
import type { LinkEnds, LinkType } from "./state.ts";

/** The issue at the other end of a link, with its project. */
export interface Peer {
  readonly uid: string;
  readonly short_id: string;
  readonly project_uid: string;
  readonly project_name: string;
  readonly project_archived: boolean;
}

/** A requested link, as seen from one issue. */
export interface LinkRequest {
  readonly type: LinkType;
  readonly peer: Peer;
  /** True if the link goes from the peer to the issue: the peer blocks the issue. Ignored for `related`. */
  readonly incoming?: boolean;
}

/**
 * Checks a requested link (docs/contract/http-api.md#44-links). `ancestors` are the peer's ancestors, if the peer is to
 * become the parent.
 */
export function checkLink(
  subjectUid: string,
  request: LinkRequest,
  ancestors: readonly string[],
): void {
  const { peer, type, incoming } = request;
  if (type === "parent" && incoming === true) {
    throw invalid("a parent link cannot be incoming: set the parent on the child");
  }
  if (peer.uid === subjectUid) throw invalid("an issue cannot be linked to itself");
  if (peer.project_archived) {
    throw new SvcError(
      "link_target_archived",
      { project: peer.project_name },
      { message: `${qualifiedId(peer.project_name, peer.short_id)} is in an archived project` },
    );
  }
  if (type === "parent" && ancestors.includes(subjectUid))
    throw invalid("would create a parent cycle");
}

export function endsOf(subjectUid: string, { type, peer, incoming }: LinkRequest): LinkEnds {
  return linkEnds(type, subjectUid, peer.uid, incoming === true);
}

/** The links, other than to a parent, that an edit of one issue can name: `blocks` in both directions, and `related`. */
const DIRECTIONS = {
  blocks: { type: "blocks", incoming: false },
  blocked_by: { type: "blocks", incoming: true },
  related: { type: "related", incoming: false },
} as const satisfies Record<string, { type: LinkType; incoming: boolean }>;

export type Direction = keyof typeof DIRECTIONS;
const DIRECTION_NAMES = ["blocks", "blocked_by", "related"] as const satisfies readonly Direction[];

/** Changes to the links of one issue, with refs resolved. */
export interface LinksDelta {
  readonly set_parent?: Peer | undefined;
  readonly remove_parent?: Peer | undefined;
  readonly add: Readonly<Record<Direction, readonly Peer[]>>;
  readonly remove: Readonly<Record<Direction, readonly Peer[]>>;
}

export interface CurrentLinks {
  readonly parent: Peer | undefined;
  has(ends: LinkEnds): boolean;
}

export interface Subject {
  readonly uid: string;
  readonly project_uid: string;
}

type Change = `${Direction}_${"added" | "removed"}`;
export type LinkChanges = {
  readonly [K in "parent_set" | "parent_removed"]?: Peer;
} & { readonly [K in Change]?: readonly Peer[] };

/** All other issues of the changes, each once. */
export function peersIn(changes: LinkChanges): readonly Peer[] {
  return uniquePeers(Object.values(changes).flat());
}

type LinksPayload = Omit<Payload<"issue.links_changed">, "updated_at">;
export interface DecidedLinks {
  readonly payload: LinksPayload;
  readonly changes: LinkChanges;
}

/**
 * Returns the one event for an edit of links. Existing links are not added again, and missing links are not removed.
 * `ancestors` are the ancestors of the requested parent.
 */
export function decideLinks(
  subject: Subject,
  current: CurrentLinks,
  delta: LinksDelta,
  ancestors: readonly string[],
): DecidedLinks | "unchanged" {
  checkDelta(subject, current, delta, ancestors);
  const payload: Record<string, unknown> = {};
  const changes: Record<string, unknown> = {};
  const noteOne = (key: string, peer: Peer | undefined): void => {
    if (peer === undefined) return;
    changes[key] = peer;
    payload[key] = refOf(subject.project_uid, peer);
    payload[`${key}_uid`] = peer.uid;
  };
  const noteAll = (key: string, peers: readonly Peer[]): void => {
    if (peers.length === 0) return;
    changes[key] = peers;
    payload[key] = peers.map((peer) => refOf(subject.project_uid, peer));
    payload[`${key}_uids`] = peers.map(({ uid }) => uid);
  };
  const { set, removed } = parentChange(current, delta);
  noteOne("parent_set", set);
  noteOne("parent_removed", removed);
  for (const direction of DIRECTION_NAMES) {
    const isLinked = (peer: Peer): boolean =>
      current.has(endsOf(subject.uid, { ...DIRECTIONS[direction], peer }));
    noteAll(
      `${direction}_added`,
      uniquePeers(delta.add[direction]).filter((peer) => !isLinked(peer)),
    );
    noteAll(`${direction}_removed`, uniquePeers(delta.remove[direction]).filter(isLinked));
  }
  return Object.keys(changes).length === 0 ? "unchanged" : { payload, changes };
}

function checkDelta(
  subject: Subject,
  current: CurrentLinks,
  delta: LinksDelta,
  ancestors: readonly string[],
): void {
  const { set_parent, remove_parent } = delta;
  if (remove_parent !== undefined && remove_parent.uid !== current.parent?.uid) {
    throw new SvcError("parent_mismatch", {
      expected_parent: refOf(subject.project_uid, remove_parent),
      ...(current.parent === undefined
        ? {}
        : { current_parent: refOf(subject.project_uid, current.parent) }),
    });
  }
  if (set_parent !== undefined) {
    if (remove_parent !== undefined) {
      throw invalid("set_parent replaces the parent: do not send remove_parent with it");
    }
    if (set_parent.uid !== current.parent?.uid) {
      checkLink(subject.uid, { type: "parent", peer: set_parent }, ancestors);
    }
  }
  for (const direction of DIRECTION_NAMES) {
    for (const peer of delta.add[direction]) {
      if (delta.remove[direction].some(({ uid }) => uid === peer.uid)) throw bothWays(peer);
      const request = { ...DIRECTIONS[direction], peer };
      if (!current.has(endsOf(subject.uid, request))) checkLink(subject.uid, request, []);
    }
  }
}

/** A new parent replaces the old one; the event names both. */
function parentChange(
  { parent }: CurrentLinks,
  { set_parent, remove_parent }: LinksDelta,
): { readonly set: Peer | undefined; readonly removed: Peer | undefined } {
  const set = set_parent?.uid === parent?.uid ? undefined : set_parent;
  return { set, removed: set !== undefined || remove_parent !== undefined ? parent : undefined };
}

/** Returns the peer's short id, qualified if the peer is in another project. */
export function refOf(projectUid: string, peer: Peer): string {
  if (peer.project_uid === projectUid) return peer.short_id;
  return qualifiedId(peer.project_name, peer.short_id);
}

function uniquePeers(peers: readonly Peer[]): readonly Peer[] {
  return [...new Map(peers.map((peer) => [peer.uid, peer])).values()];
}

function bothWays(peer: Peer): SvcError {
  return invalid(`${qualifiedId(peer.project_name, peer.short_id)} is both added and removed`);
}
