import type { LinkRow } from "../../domain/state.ts";
import type { StoredIssue, WithId } from "../../store/types.ts";
import { linkPeer } from "./issues.ts";

/** A link with both its ends (doc 1: a link has no project of its own). */
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
