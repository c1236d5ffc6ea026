import { invariant } from "../../base/invariant.ts";
import type { EventDraft, Payload } from "../../contract/events.ts";
import { linksChanged } from "../../domain/drafts/links.ts";
import { refOf } from "../../domain/links.ts";
import type { LinkRow, LinkType } from "../../domain/state.ts";
import { type FacetValue, parentSet } from "../../domain/undo/facets.ts";
import type { Revert } from "../../domain/undo/plan.ts";
import { ofKind, placeOf, type RestoredIssue, type RevertOf, undoing } from "./undo-context.ts";

/**
 * A link as seen from the issue that is restored. A `related` link has no direction; it is stored as a link from the
 * issue with the smaller uid.
 */
interface OwnLink {
  readonly type: LinkType;
  readonly peer: string;
  readonly revert: Revert;
}

type Creation = Pick<LinkRow, "author" | "created_at">;

/**
 * Writes all removed links into one event. Restored links keep their author and time, so there is one event for each
 * author and time.
 */
export function linkDrafts(
  place: RestoredIssue,
  reverts: readonly Revert[],
): readonly EventDraft[] {
  const own = ofKind(reverts, "parent", "link");
  const removed = own.flatMap((revert) => linksIn(revert, revert.from));
  const added = new Map<string, { readonly creation: Creation; readonly links: OwnLink[] }>();
  for (const link of own.flatMap((revert) => linksIn(revert, revert.to))) {
    const creation = madeBefore(place, link);
    const key = `${creation.created_at} ${creation.author}`;
    const same = added.get(key);
    if (same === undefined) added.set(key, { creation, links: [link] });
    else same.links.push(link);
  }
  return [
    ...(removed.length === 0 ? [] : [linksDraft(place, "removed", removed)]),
    ...[...added.values()].map(({ creation, links }) =>
      linksDraft(place, "added", links, creation),
    ),
  ];
}

function linksIn(revert: RevertOf<"parent" | "link">, value: FacetValue): readonly OwnLink[] {
  const { facet } = revert;
  if (facet.of === "parent")
    return typeof value === "string" ? [{ type: "parent", peer: value, revert }] : [];
  return value === undefined ? [] : [{ type: facet.type, peer: facet.peer, revert }];
}

function madeBefore({ context, issue }: RestoredIssue, { type, peer }: OwnLink): Creation {
  const { without } = context.plan;
  const row =
    type === "parent" ? parentSet(without, issue.uid) : without.link(issue.uid, peer, type);
  invariant(row !== undefined, "a link that comes back was there");
  return { author: row.author, created_at: row.created_at };
}

function linksDraft(
  place: RestoredIssue,
  what: "added" | "removed",
  links: readonly OwnLink[],
  creation?: Creation,
): EventDraft {
  const reverts = links.map(({ revert }) => revert);
  const changes = { ...creation, ...linksPayload(place, what, links) };
  return linksChanged(placeOf(place), changes, undoing(place.context, reverts));
}

function linksPayload(
  { context, project_uid }: RestoredIssue,
  what: "added" | "removed",
  links: readonly OwnLink[],
): Omit<Payload<"issue.links_changed">, "updated_at"> {
  const peerText = (uid: string): string => {
    const peer = context.peer(uid);
    return peer === undefined ? "" : refOf(project_uid, peer);
  };
  const peersBy = (type: LinkType) =>
    links.filter((link) => link.type === type).map(({ peer }) => peer);
  const list = (type: "blocks" | "related") => {
    const uids = peersBy(type);
    if (uids.length === 0) return {};
    return { [`${type}_${what}`]: uids.map(peerText), [`${type}_${what}_uids`]: uids };
  };
  const [parent] = peersBy("parent");
  const verb = what === "added" ? "set" : "removed";
  return {
    ...(parent === undefined
      ? {}
      : { [`parent_${verb}`]: peerText(parent), [`parent_${verb}_uid`]: parent }),
    ...list("blocks"),
    ...list("related"),
  };
}
