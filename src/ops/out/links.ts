import type { LinkChanges, Peer } from "../../domain/links.ts";
import type { LinkRow } from "../../domain/state.ts";
import type { StoredIssue, WithId } from "../../store/types/rows.ts";
import { linkPeer } from "./issues.ts";

/**
 * A link with both ends, each with its project, since a link has no project of its own
 * (docs/contract/http-api.md#30-shared-objects).
 */
export function linkOut(link: WithId<LinkRow>, from: StoredIssue, to: StoredIssue) {
  return {
    id: link.id,
    from: linkPeer(from),
    to: linkPeer(to),
    type: link.type,
    author: link.author,
    created_at: link.created_at,
  };
}

/** The changes of an issue's links, as answers contain them. */
export function linkChangesOut(changes: LinkChanges) {
  const peersOut = (peers: readonly Peer[] | undefined) => peers?.map(linkPeer);
  return {
    parent_set: changes.parent_set && linkPeer(changes.parent_set),
    parent_removed: changes.parent_removed && linkPeer(changes.parent_removed),
    blocks_added: peersOut(changes.blocks_added),
    blocks_removed: peersOut(changes.blocks_removed),
    blocked_by_added: peersOut(changes.blocked_by_added),
    blocked_by_removed: peersOut(changes.blocked_by_removed),
    related_added: peersOut(changes.related_added),
    related_removed: peersOut(changes.related_removed),
  };
}
