import type { DIGEST_ACTIONS } from "../contract/activity.ts";
import type { EventKind } from "../contract/event-kinds.ts";
import type { Payload } from "../contract/events.ts";

export type Action = (typeof DIGEST_ACTIONS)[number];

/** How many times each action happened; none of the numbers is 0. */
export type Counts = readonly (readonly [Action, number])[];

/** The kinds of events whose payload a digest reads. Events of other kinds are only counted. */
export const READ_PAYLOADS = [
  "issue.updated",
  "issue.links_changed",
  "issue.unlinked",
] as const satisfies readonly EventKind[];

type ReadKind = (typeof READ_PAYLOADS)[number];

/**
 * The parts of an event that a digest needs. For `issue.created` the database only counts the labels, links and owners
 * that the issue began with, so that the texts of the issue are not read.
 */
export type DigestEvent =
  | { readonly type: "issue.created"; readonly began: InitialCounts }
  | { [K in ReadKind]: { readonly type: K; readonly payload: Payload<K> } }[ReadKind]
  | { readonly type: Exclude<EventKind, ReadKind | "issue.created"> };

interface InitialCounts {
  readonly labels: number;
  readonly links: number;
  readonly owners: number;
}

const NOT_COUNTED: ReadonlySet<string> = new Set([
  "project.created",
  "project.renamed",
  "project.federation_enabled",
]);

/** The amounts that one event adds to the counts; `undefined` if the event does not count as activity. */
export function countsOf(deed: DigestEvent): Counts | undefined {
  if (NOT_COUNTED.has(deed.type)) return undefined;
  switch (deed.type) {
    case "issue.created":
      return countsOfCreated(deed.began);
    case "issue.updated":
      return countsOfUpdated(deed.payload);
    case "issue.links_changed":
      return linksChanged(deed.payload);
    case "issue.unlinked":
      return deed.payload.type === "blocks" ? [["unblocked", 1]] : [["unlinked", 1]];
    default:
      return [[ONE[deed.type] ?? "other", 1]];
  }
}

const ONE: Readonly<Partial<Record<EventKind, Action>>> = {
  "issue.closed": "closed",
  "issue.reopened": "reopened",
  "issue.commented": "commented",
  "issue.assigned": "assigned",
  "issue.unassigned": "unassigned",
  "issue.priority_set": "priority_set",
  "issue.priority_cleared": "priority_cleared",
  "issue.labeled": "labeled",
  "issue.unlabeled": "unlabeled",
  "issue.linked": "linked",
  "issue.soft_deleted": "deleted",
  "issue.restored": "restored",
};

function countsOfCreated({ labels, links, owners }: InitialCounts): Counts {
  return withoutZeros([
    ["created", 1],
    ["assigned", owners],
    ["labeled", labels],
    ["linked", links],
  ]);
}

function countsOfUpdated({ title, body, owner }: Payload<"issue.updated">): Counts {
  return withoutZeros([
    ["edited", title !== undefined || body !== undefined ? 1 : 0],
    ["assigned", typeof owner === "string" ? 1 : 0],
    ["unassigned", owner === null ? 1 : 0],
  ]);
}

function linksChanged(payload: Payload<"issue.links_changed">): Counts {
  const count = (list: readonly string[] | undefined): number => list?.length ?? 0;
  const linked =
    count(payload.blocks_added) +
    count(payload.blocked_by_added) +
    count(payload.related_added) +
    (payload.parent_set === undefined ? 0 : 1);
  return withoutZeros([
    ["linked", linked],
    ["unlinked", count(payload.related_removed) + (payload.parent_removed === undefined ? 0 : 1)],
    ["unblocked", count(payload.blocks_removed) + count(payload.blocked_by_removed)],
  ]);
}

function withoutZeros(counts: Counts): Counts {
  return counts.filter(([, count]) => count > 0);
}
