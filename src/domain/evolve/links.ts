import type { Payload, StoredEvent } from "../../contract/events.ts";
import type { Change, LinkRow, LinkType, State, Touches } from "../state.ts";
import { type Evolver, subjectOf, touched } from "./evolver.ts";

export type LinkEnds = Pick<LinkRow, "from_uid" | "to_uid" | "type">;

/**
 * Converts a link as seen from one issue to its stored form (facts http-api 4.4).
 * - `parent`: stored from the child to the parent.
 * - `blocks`: stored from the blocker to the blocked issue. If `incoming` is true, `from` is the blocked issue.
 * - `related`: stored from the smaller uid to the larger uid.
 */
export function linkEnds(
  type: LinkType,
  from: string,
  to: string,
  incoming: boolean = false,
): LinkEnds {
  const reversed = type === "related" ? from > to : incoming;
  return reversed ? { type, from_uid: to, to_uid: from } : { type, from_uid: from, to_uid: to };
}

/** Adds the link and removes an earlier parent of the same child, since a child has one parent. */
export function putLink(
  state: State,
  ends: LinkEnds,
  author: string,
  created_at: string,
): readonly Change[] {
  const { from_uid, to_uid, type } = ends;
  if (from_uid === to_uid || state.link(from_uid, to_uid, type) !== undefined) return [];
  const older = type === "parent" ? state.parentLink(from_uid) : undefined;
  const put: Change = { table: "link", put: { from_uid, to_uid, type, author, created_at } };
  return older === undefined ? [put] : [removalOf(older), put];
}

/**
 * Returns the changes that add the link, unless one of its issues was purged. The earlier parent link of a child is
 * removed even if the new parent was purged.
 */
function linkChanges(
  state: State,
  link: LinkEnds,
  author: string,
  created_at: string,
): readonly Change[] {
  if (bothThere(state, link)) return putLink(state, link, author, created_at);
  const older = link.type === "parent" ? state.parentLink(link.from_uid) : undefined;
  return older === undefined ? [] : [removalOf(older)];
}

export const linked: Evolver<"issue.linked"> = {
  touches: (event) => linkTouches(event, [endsOf(event.payload)]),
  evolve: (state, event) => {
    const link = endsOf(event.payload);
    const issue = subjectOf(state, event);
    if (issue === undefined) return [];
    return [
      touched(issue, event.payload.updated_at),
      ...linkChanges(state, link, event.actor, event.created_at),
    ];
  },
};

export const unlinked: Evolver<"issue.unlinked"> = {
  touches: (event) => linkTouches(event, [storedEnds(event.payload)]),
  evolve: (state, event) => {
    const issue = subjectOf(state, event);
    return [
      ...(issue === undefined ? [] : [touched(issue, event.payload.updated_at)]),
      ...removeLink(state, storedEnds(event.payload)),
    ];
  },
};

/** Removals are applied before additions. */
export const linksChanged: Evolver<"issue.links_changed"> = {
  touches: (event) => linkTouches(event, [...removedEnds(event), ...addedEnds(event)]),
  evolve: (state, event) => {
    const issue = subjectOf(state, event);
    if (issue === undefined) return [];
    const { author = event.actor, created_at = event.created_at, updated_at } = event.payload;
    const removed = removedEnds(event).flatMap((link) => removeLink(state, link));
    const added = addedEnds(event).flatMap((link) => linkChanges(state, link, author, created_at));
    return [touched(issue, updated_at), ...removed, ...added];
  },
};

function endsOf({ type, from_uid, to_uid, incoming }: Payload<"issue.linked">): LinkEnds {
  return linkEnds(type, from_uid, to_uid, incoming === true);
}

function storedEnds({ type, link_from_uid, link_to_uid }: Payload<"issue.unlinked">): LinkEnds {
  return { type, from_uid: link_from_uid, to_uid: link_to_uid };
}

type LinksChanged = StoredEvent<"issue.links_changed">;

function removedEnds({ issue_uid, payload }: LinksChanged): readonly LinkEnds[] {
  if (issue_uid === undefined) return [];
  return [
    ...asList(payload.parent_removed_uid).map((peer) => linkEnds("parent", issue_uid, peer)),
    ...asList(payload.blocks_removed_uids).map((peer) => linkEnds("blocks", issue_uid, peer)),
    ...asList(payload.blocked_by_removed_uids).map((peer) => linkEnds("blocks", peer, issue_uid)),
    ...asList(payload.related_removed_uids).map((peer) => linkEnds("related", issue_uid, peer)),
  ];
}

function addedEnds({ issue_uid, payload }: LinksChanged): readonly LinkEnds[] {
  if (issue_uid === undefined) return [];
  return [
    ...asList(payload.parent_set_uid).map((peer) => linkEnds("parent", issue_uid, peer)),
    ...asList(payload.blocks_added_uids).map((peer) => linkEnds("blocks", issue_uid, peer)),
    ...asList(payload.blocked_by_added_uids).map((peer) => linkEnds("blocks", peer, issue_uid)),
    ...asList(payload.related_added_uids).map((peer) => linkEnds("related", issue_uid, peer)),
  ];
}

function asList(uids: string | readonly string[] | undefined): readonly string[] {
  if (uids === undefined) return [];
  return typeof uids === "string" ? [uids] : uids;
}

function linkTouches(event: { readonly issue_uid?: string }, links: readonly LinkEnds[]): Touches {
  return {
    issues: [...(event.issue_uid === undefined ? [] : [event.issue_uid]), ...links.flatMap(uidsOf)],
    links: links.map(({ from_uid, to_uid, type }) => [from_uid, to_uid, type] as const),
    parentsOf: links.filter(({ type }) => type === "parent").map((link) => link.from_uid),
  };
}

function uidsOf({ from_uid, to_uid }: LinkEnds): readonly string[] {
  return [from_uid, to_uid];
}

function removeLink(state: State, { from_uid, to_uid, type }: LinkEnds): readonly Change[] {
  const known = state.link(from_uid, to_uid, type);
  return known === undefined ? [] : [removalOf(known)];
}

function removalOf({ from_uid, to_uid, type }: LinkEnds): Change {
  return { table: "link", remove: { from_uid, to_uid, type } };
}

function bothThere(state: State, { from_uid, to_uid }: LinkEnds): boolean {
  return state.issue(from_uid) !== undefined && state.issue(to_uid) !== undefined;
}
