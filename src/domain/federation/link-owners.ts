import type { EventDraft, Payload } from "../../contract/events.ts";
import { linksChanged } from "../drafts/links.ts";
import { linkEnds } from "../evolve/links.ts";
import { type Peer, refOf } from "../links.ts";
import type { LinkEnds } from "../state.ts";

/**
 * If at least one of two projects is federated, a link between them belongs to the issue that it is stored from: the
 * child, the blocker, or the related issue with the smaller uid. An event of that issue sets or removes the link, even
 * if a command names the other issue. So a daemon that has only one of the two projects gets all events of the links
 * that belong to issues of this project (docs/contract/federation.md#84-links-and-parents).
 */

/** The issue that an event is about, the other issues that it links, and which of their projects are federated. */
export interface LinkedIssues {
  readonly subject: Peer;
  readonly peers: readonly Peer[];
  readonly federated: ReadonlySet<string>;
}

/**
 * Returns the peer if the link belongs to it, so that an event of the peer must set or remove the link. Returns
 * `undefined` if an event of the subject may do that.
 */
export function otherOwner(ends: LinkEnds, issues: LinkedIssues): Peer | undefined {
  const { subject, peers, federated } = issues;
  if (ends.from_uid === subject.uid) return undefined;
  const peer = peers.find(({ uid }) => uid === ends.from_uid);
  if (peer === undefined || peer.project_uid === subject.project_uid) return undefined;
  const isShared = federated.has(peer.project_uid) || federated.has(subject.project_uid);
  return isShared ? peer : undefined;
}

/**
 * Splits an event that changes several links into one event for each issue that owns some of these links. The first is
 * the event of the subject, unless the subject owns none of the links.
 */
export function linksByOwner(
  draft: EventDraft<"issue.links_changed">,
  issues: LinkedIssues,
): readonly EventDraft<"issue.links_changed">[] {
  const own: Record<string, unknown> = { ...draft.payload };
  const others = new Map<string, Lists>();
  for (const [side, theirs] of SIDES) {
    const [uids = [], refs = []] = [draft.payload[`${side}_uids`], draft.payload[side]];
    const kept = uids.flatMap((uid, at) => {
      const { subject } = issues;
      const ends = linkEnds(side.startsWith("related") ? "related" : "blocks", uid, subject.uid);
      const owner = otherOwner(ends, issues);
      if (owner === undefined) return [[uid, refs[at] ?? ""] as const];
      const lists = others.get(owner.uid) ?? {};
      others.set(owner.uid, {
        ...lists,
        [theirs]: [refOf(owner.project_uid, subject)],
        [`${theirs}_uids`]: [subject.uid],
      });
      return [];
    });
    if (kept.length === uids.length) continue;
    delete own[side];
    delete own[`${side}_uids`];
    if (kept.length === 0) continue;
    own[side] = kept.map(([, ref]) => ref);
    own[`${side}_uids`] = kept.map(([uid]) => uid);
  }
  const isLeft = LINK_FIELDS.some((field) => own[field] !== undefined);
  const shared = withoutLinks(draft.payload);
  return [
    ...(isLeft ? [{ ...draft, payload: own as LinksPayload }] : []),
    ...[...others].map(([issue_uid, lists]) => ({
      ...draft,
      issue_uid,
      project_uid: issues.peers.find(({ uid }) => uid === issue_uid)?.project_uid ?? "",
      payload: { ...shared, ...lists },
    })),
  ];
}

/**
 * Removes the links that belong to other issues from the creation of an issue, and adds events of these issues instead.
 */
export function newLinksByOwner(
  draft: EventDraft<"issue.created">,
  issues: LinkedIssues,
): readonly EventDraft[] {
  const { links = [], created_at: now, ...rest } = draft.payload;
  const owned = links.map((link) => ({
    link,
    owner: otherOwner(
      linkEnds(link.type, draft.payload.uid, link.to_issue_uid, link.incoming),
      issues,
    ),
  }));
  const own = owned.filter(({ owner }) => owner === undefined).map(({ link }) => link);
  if (own.length === links.length) return [draft];
  const payload = { ...rest, created_at: now, ...(own.length === 0 ? {} : { links: own }) };
  return [
    { ...draft, payload },
    ...owned.flatMap(({ link, owner }) => {
      if (owner === undefined) return [];
      const to = link.type === "related" ? "related_added" : "blocks_added";
      const changes = {
        author: link.author,
        [to]: [refOf(owner.project_uid, issues.subject)],
        [`${to}_uids`]: [issues.subject.uid],
      };
      return [linksChanged(owner, changes, { actor: draft.actor, now })];
    }),
  ];
}

type LinksPayload = Payload<"issue.links_changed">;
type Lists = Partial<LinksPayload>;

/**
 * Pairs of lists. The first list names links that may be stored from the other issue. The second list has the same
 * links in an event of that issue.
 */
const SIDES = [
  ["blocked_by_added", "blocks_added"],
  ["blocked_by_removed", "blocks_removed"],
  ["related_added", "related_added"],
  ["related_removed", "related_removed"],
] as const;

const LINK_FIELDS = [
  ...["parent_set", "parent_removed", "blocks_added", "blocks_removed"],
  ...SIDES.map(([side]) => side),
] as const;

/**
 * Returns the fields that all resulting events share: the time, the author of the links, and the mark of an undo or
 * import.
 */
function withoutLinks(payload: LinksPayload): Pick<LinksPayload, "updated_at"> {
  const isOfLinks = (name: string): boolean =>
    LINK_FIELDS.some(
      (field) => name === field || name === `${field}_uid` || name === `${field}_uids`,
    );
  const { updated_at } = payload;
  const rest = Object.entries(payload).filter(([name]) => !isOfLinks(name));
  return { ...Object.fromEntries(rest), updated_at };
}
