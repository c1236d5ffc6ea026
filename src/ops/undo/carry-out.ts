import { addTo } from "../../base/lists.ts";
import type { EventDraft, StoredEvent } from "../../contract/events.ts";
import { MAX_LINK_WARNINGS } from "../../contract/limits.ts";
import { touches } from "../../domain/evolve/evolve.ts";
import type { BorderWarning } from "../../domain/federation/link-borders.ts";
import { hasExpired } from "../../domain/leases.ts";
import type { Peer } from "../../domain/links.ts";
import type { UndoHistory } from "../../domain/undo/facets.ts";
import type { Revert, UndoPlan } from "../../domain/undo/plan.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { peerOf } from "../find.ts";
import { expire } from "../leases/lease-request.ts";
import { borderWarnings } from "../link-borders.ts";
import { appendLinks } from "../link-owners.ts";
import { shortIdIn } from "../short-id.ts";
import { draftsOf } from "./drafts.ts";
import { seriesDraft } from "./series-draft.ts";
import { ofKind } from "./undo-context.ts";

interface Batch {
  readonly plan: UndoPlan;
  readonly history: UndoHistory;
  readonly actor: string;
  readonly batch_uid: string;
}

interface CarriedOut {
  /** The ids of the events. */
  readonly ids: readonly number[];
  /** Warnings about links that are put back, but stay on this daemon. */
  readonly warnings: readonly BorderWarning[];
}

/**
 * Writes the events of an undo, in the order in which the actor first touched the issues. Issues that the undone
 * changes created are deleted last, after everything that refers to them.
 */
export async function carryOut(
  tx: Tx,
  { plan, history, actor, batch_uid }: Batch,
): Promise<CarriedOut> {
  const series = ofKind(plan.reverts, "series");
  const others = plan.reverts.filter(({ facet }) => facet.of !== "series");
  const groups = Map.groupBy(others.toSorted(newLast), ({ facet }) => facet.uid);
  const peers = await tx.issues.many([
    ...new Set(history.events.flatMap((event) => touches(event).issues ?? [])),
  ]);
  const uids = [...groups.keys()];
  await tx.preload({ issues: [...peers.keys()], rows: { lease: uids } });
  await tx.preloadAttached(uids);
  const leases = await tx.leases.unreleased(uids);
  const leaseNow = leases.size === 0 ? tx.now : await tx.leaseNow();
  const context = {
    plan,
    closes: closesOf(history.events),
    actor,
    now: tx.now,
    leaseNow,
    batch_uid,
    peer: (uid: string) => {
      const issue = peers.get(uid);
      return issue === undefined ? undefined : peerOf(issue);
    },
    shortIdIn: async (projectUid: string, issue: { uid: string; short_id: string }) =>
      await shortIdIn(tx, projectUid, issue),
  };
  const ids: number[] = [];
  const warnings: BorderWarning[] = [];
  for (const [uid, reverts] of groups) {
    const [issue, lease] = [peers.get(uid), leases.get(uid)];
    // End an expired lease first with its holder as the actor, as for any other change of the issue.
    if (issue !== undefined && lease !== undefined && hasExpired(lease, leaseNow))
      await expire(tx, issue, lease);
    for (const draft of await draftsOf(context, uid, reverts)) {
      if (draft.type !== "issue.links_changed" || issue === undefined) {
        ids.push((await tx.append(draft)).id);
        continue;
      }
      const events = await appendLinks(tx, draft, peerOf(issue), peersOf(peers, draft));
      ids.push(...events.map(({ id }) => id));
      const linked = events.flatMap((event) => touches(event).issues ?? []);
      if (warnings.length < MAX_LINK_WARNINGS)
        warnings.push(...(await borderWarnings(tx, events, knownPeers(peers, linked))));
    }
  }
  for (const revert of series) {
    ids.push((await tx.append(seriesDraft(context, revert))).id);
  }
  return { ids, warnings: warnings.slice(0, MAX_LINK_WARNINGS) };
}

/** The issues that the event links, as far as they are known. */
function peersOf(
  issues: ReadonlyMap<string, StoredIssue>,
  { payload }: EventDraft<"issue.links_changed">,
): readonly Peer[] {
  const named = [...(payload.related_added_uids ?? []), ...(payload.related_removed_uids ?? [])];
  return knownPeers(issues, named);
}

function knownPeers(
  issues: ReadonlyMap<string, StoredIssue>,
  uids: readonly string[],
): readonly Peer[] {
  return uids.flatMap((uid) => {
    const issue = issues.get(uid);
    return issue === undefined ? [] : [peerOf(issue)];
  });
}

function closesOf(
  events: readonly StoredEvent[],
): ReadonlyMap<string, readonly StoredEvent<"issue.closed">[]> {
  const closes = new Map<string, StoredEvent<"issue.closed">[]>();
  for (const event of events)
    if (event.type === "issue.closed" && event.issue_uid !== undefined)
      addTo(closes, event.issue_uid, event);
  return closes;
}

function newLast(left: Revert, right: Revert): number {
  const isNew = ({ facet }: Revert) => facet.of === "issue" && facet.field === "exists";
  return Number(isNew(left)) - Number(isNew(right));
}
