import type { Payload, StoredEvent } from "../../contract/events.ts";
import type { Change, IssueRow, LinkEnds, LinkRow, LinkType, State, Touches } from "../state.ts";
import { type Evolver, subjectOf, touched } from "./evolver.ts";
import { LinkChanges } from "./link-changes.ts";
import { isOwnLink } from "./own-links.ts";

/**
 * Converts a link as seen from one issue to its stored form (docs/contract/http-api.md#44-links).
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

export const linked: Evolver<"issue.linked"> = {
  touches: (event) => linkTouches(event, [endsOf(event.payload)], []),
  evolve: (state, event) => {
    const issue = subjectOf(state, event);
    if (issue === undefined) return [];
    const { actor: author, created_at, payload } = event;
    const links = new LinkChanges(state);
    const ends = endsOf(payload);
    if (isOwnLink(state, event, ends)) links.put({ ...ends, author, created_at });
    return [touched(issue, payload.updated_at), ...links.changes()];
  },
};

export const unlinked: Evolver<"issue.unlinked"> = {
  touches: (event) => linkTouches(event, [], [storedEnds(event.payload)]),
  evolve: (state, event) => {
    const issue = subjectOf(state, event);
    const links = new LinkChanges(state);
    const ends = storedEnds(event.payload);
    if (isOwnLink(state, event, ends)) links.remove(ends);
    return [
      ...(issue === undefined ? [] : [touched(issue, event.payload.updated_at)]),
      ...links.changes(),
    ];
  },
};

/** Removals are applied before additions. */
export const linksChanged: Evolver<"issue.links_changed"> = {
  touches: (event) => linkTouches(event, addedEnds(event), removedEnds(event)),
  evolve: (state, event) => {
    const issue = subjectOf(state, event);
    if (issue === undefined) return [];
    const { author = event.actor, created_at = event.created_at, updated_at } = event.payload;
    const links = new LinkChanges(state);
    const isOwn = (ends: LinkEnds): boolean => isOwnLink(state, event, ends);
    for (const ends of removedEnds(event).filter(isOwn)) links.remove(ends);
    for (const ends of addedEnds(event).filter(isOwn)) links.put({ ...ends, author, created_at });
    return [touched(issue, updated_at), ...links.changes()];
  },
};

export function endsOf({ type, from_uid, to_uid, incoming }: Payload<"issue.linked">): LinkEnds {
  return linkEnds(type, from_uid, to_uid, incoming === true);
}

export function storedEnds({
  type,
  link_from_uid,
  link_to_uid,
}: Payload<"issue.unlinked">): LinkEnds {
  return { type, from_uid: link_from_uid, to_uid: link_to_uid };
}

type LinksChanged = StoredEvent<"issue.links_changed">;

export function removedEnds({ issue_uid, payload }: LinksChanged): readonly LinkEnds[] {
  if (issue_uid === undefined) return [];
  return [
    ...asList(payload.parent_removed_uid).map((peer) => linkEnds("parent", issue_uid, peer)),
    ...asList(payload.blocks_removed_uids).map((peer) => linkEnds("blocks", issue_uid, peer)),
    ...asList(payload.blocked_by_removed_uids).map((peer) => linkEnds("blocks", peer, issue_uid)),
    ...asList(payload.related_removed_uids).map((peer) => linkEnds("related", issue_uid, peer)),
  ];
}

export function addedEnds({ issue_uid, payload }: LinksChanged): readonly LinkEnds[] {
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

function linkTouches(
  event: { readonly issue_uid?: string },
  added: readonly LinkEnds[],
  removed: readonly LinkEnds[],
): Touches {
  const links = [...added, ...removed];
  const touches = touchesOfLinks(event.issue_uid, links);
  const own = event.issue_uid === undefined ? [] : [event.issue_uid];
  return {
    ...touches,
    ...baselinesFor(event.issue_uid, links),
    issues: [...own, ...(touches.issues ?? [])],
  };
}

/** What must be loaded before an event of the issue `own` puts or removes these links (`LinkChanges`). */
export function touchesOfLinks(own: string | undefined, links: readonly LinkEnds[]): Touches {
  const parents = links.filter(({ type }) => type === "parent");
  const issues = links.flatMap(({ from_uid, to_uid }) => [from_uid, to_uid]);
  return {
    issues,
    peers: issues.filter((uid) => uid !== own),
    links: links.map(({ from_uid, to_uid, type }) => [from_uid, to_uid, type] as const),
    parentsOf: parents.map(({ from_uid }) => from_uid),
    waitingOf: links.map(({ from_uid }) => from_uid),
    ancestorsOf: parents.map(({ from_uid, to_uid }) => [from_uid, [to_uid]] as const),
  };
}

/**
 * Loads the baselines if a link is not stored from the event's issue, because it may then belong to another project
 * (`isOwnLink`).
 */
function baselinesFor(own: string | undefined, links: readonly LinkEnds[]): Touches {
  return links.some(({ from_uid }) => from_uid !== own) ? { baselines: true } : {};
}

/** What must be loaded before an event creates the issue `uid` with these links. */
export function touchesOfNewIssue(uid: string, links: readonly LinkEnds[]): Touches {
  // The usual case; it is asked for several times with each creation.
  if (links.length === 0) return { issues: [uid], waitingOf: [uid], ancestorsOf: [[uid, []]] };
  const touches = touchesOfLinks(uid, links);
  return {
    ...touches,
    ...baselinesFor(uid, links),
    issues: [uid, ...(touches.issues ?? [])],
    waitingOf: [uid, ...(touches.waitingOf ?? [])],
    ancestorsOf: [[uid, []], ...(touches.ancestorsOf ?? [])],
  };
}

/** The links that appear with an issue: those that have waited for it, and those that its event sets. */
export function linksOfNewIssue(
  state: State,
  issue: Pick<IssueRow, "uid" | "project_uid">,
  links: readonly LinkRow[],
): readonly Change[] {
  const changes = new LinkChanges(state, [issue]);
  if (state.issue(issue.uid) === undefined) changes.issueAppeared(issue.uid);
  for (const link of links) changes.put(link);
  return changes.changes();
}
