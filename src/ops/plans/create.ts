import { invariant } from "../../base/invariant.ts";
import type { JsonObject } from "../../base/json.ts";
import { addTo } from "../../base/lists.ts";
import type { EventDraft, StoredEvent } from "../../contract/events.ts";
import { MAX_LINK_WARNINGS } from "../../contract/limits.ts";
import { issueCreated } from "../../domain/drafts/issues.ts";
import type { BorderWarning } from "../../domain/federation/link-borders.ts";
import { type Peer, refOf } from "../../domain/links.ts";
import type { PlanEdge, PlannedIssue } from "../../domain/plan.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import type { Deps } from "../deps.ts";
import { peerOfNewIssue } from "../find.ts";
import { borderWarnings } from "../link-borders.ts";
import { creationDrafts } from "../link-owners.ts";
import { freeShortIds } from "../short-id.ts";

interface Creation {
  readonly project: StoredProject;
  readonly actor: string;
  readonly source: string;
  readonly fresh: readonly PlannedIssue[];
  readonly links: LinksByName;
  readonly metadata: ReadonlyMap<string, JsonObject>;
}

/**
 * A link that is part of the creation event of a new issue. `other` is the name that the plan uses for the issue at the
 * other end.
 */
interface OwnLink {
  readonly type: PlanEdge["type"];
  readonly other: string;
  readonly incoming: boolean;
}

interface LinksByName {
  readonly own: ReadonlyMap<string, readonly OwnLink[]>;
  readonly peers: ReadonlyMap<string, Peer>;
}

/**
 * Assigns each link to the issue that is created later, because the creation event of that issue can refer to the other
 * issue. Links between existing issues are left out. Links from an existing child to a new parent are left out too.
 * They occur only if the child's earlier parent was purged.
 */
export function linksByCreation(
  fresh: readonly PlannedIssue[],
  edges: readonly PlanEdge[],
  peers: ReadonlyMap<string, Peer>,
): LinksByName {
  const place = new Map(fresh.map(({ name }, at) => [name, at]));
  const own = new Map<string, OwnLink[]>();
  for (const { type, from, to } of edges) {
    const [fromAt = -1, toAt = -1] = [place.get(from), place.get(to)];
    if (fromAt === -1 && (toAt === -1 || type === "parent")) continue;
    const outgoing = fromAt > toAt;
    const subject = outgoing ? from : to;
    invariant(type !== "parent" || outgoing, "a parent is made before its children");
    const link = { type, other: outgoing ? to : from, incoming: type === "blocks" && !outgoing };
    addTo(own, subject, link);
  }
  return { own, peers };
}

/** The uids of the new issues by their names, and warnings of their links. */
interface Created {
  readonly uids: ReadonlyMap<string, string>;
  readonly warnings: readonly BorderWarning[];
}

export async function createPlanned(
  { ids }: Pick<Deps, "ids">,
  tx: Tx,
  creation: Creation,
): Promise<Created> {
  const { project, fresh } = creation;
  const peers = new Map(creation.links.peers);
  const createdUids = new Map<string, string>();
  const warnings: BorderWarning[] = [];
  const uids = fresh.map(() => ids.ulid());
  const shortIds = await freeShortIds(tx, [project.uid], uids);
  const linked = [...peers.values()].map((peer) => peer.uid);
  const abroad = [...peers.values()].filter((peer) => peer.project_uid !== project.uid);
  await tx.preload({ projects: [project.uid], issues: [...uids, ...linked] });
  for (const [at, issue] of fresh.entries()) {
    const uid = uids[at] ?? "";
    const short_id = shortIds.get(uid);
    invariant(short_id !== undefined, "each new issue was given a short id");
    const draft = issueCreatedDraft(creation, issue, { uid, short_id, now: tx.now, peers });
    const subject = peerOfNewIssue(project, uid, short_id);
    const others = linkedIn(draft, abroad);
    const events: StoredEvent[] = [];
    for (const one of await creationDrafts(tx, draft, subject, others))
      events.push(await tx.append(one));
    if (others.length > 0 && warnings.length < MAX_LINK_WARNINGS)
      warnings.push(...(await borderWarnings(tx, events, [subject, ...others])));
    createdUids.set(issue.name, uid);
    peers.set(issue.name, subject);
  }
  return { uids: createdUids, warnings: warnings.slice(0, MAX_LINK_WARNINGS) };
}

function linkedIn(
  { payload }: EventDraft<"issue.created">,
  peers: readonly Peer[],
): readonly Peer[] {
  const uids = new Set((payload.links ?? []).map(({ to_issue_uid }) => to_issue_uid));
  return peers.filter(({ uid }) => uids.has(uid));
}

interface Place {
  readonly uid: string;
  readonly short_id: string;
  readonly now: string;
  readonly peers: ReadonlyMap<string, Peer>;
}

function issueCreatedDraft(
  { project, actor, source, links, metadata }: Creation,
  issue: PlannedIssue,
  { uid, short_id, now, peers }: Place,
): EventDraft<"issue.created"> {
  const { name, title, body, owner, priority, labels } = issue;
  const own = (links.own.get(name) ?? []).map(({ type, other, incoming }) => {
    const peer = peers.get(other);
    invariant(peer !== undefined, "the other end of a link is there before it");
    return {
      type,
      to_issue_uid: peer.uid,
      to_short_id: refOf(project.uid, peer),
      ...(incoming ? { incoming } : {}),
      author: actor,
    };
  });
  const fields = { uid, short_id, title, body, owner, priority, labels, source, links: own };
  const { uid: project_uid } = project;
  return issueCreated(
    { ...fields, project_uid, author: actor, metadata: metadata.get(name), external_id: name },
    { actor, now },
  );
}
