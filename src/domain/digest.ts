import type { DIGEST_ACTIONS } from "../contract/activity.ts";
import type { Payload, StoredEvent } from "../contract/events.ts";

export type Action = (typeof DIGEST_ACTIONS)[number];
export type Counts = Partial<Record<Action, number>>;

const NOT_COUNTED: ReadonlySet<string> = new Set(["project.created", "project.renamed"]);

/** The amounts that one event adds to the counts; `undefined` if the event does not count as activity. */
export function countsOf(event: StoredEvent): Counts | undefined {
  if (NOT_COUNTED.has(event.type)) return undefined;
  switch (event.type) {
    case "issue.created":
      return created(event.payload);
    case "issue.updated":
      return updated(event.payload);
    case "issue.links_changed":
      return linksChanged(event.payload);
    case "issue.unlinked":
      return event.payload.type === "blocks" ? { unblocked: 1 } : { unlinked: 1 };
    default:
      return { [ONE[event.type] ?? "other"]: 1 };
  }
}

const ONE: Readonly<Partial<Record<StoredEvent["type"], Action>>> = {
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

function created({ labels = [], links = [], owner }: Payload<"issue.created">): Counts {
  return some({
    created: 1,
    labeled: labels.length,
    linked: links.length,
    assigned: owner === undefined ? 0 : 1,
  });
}

function updated({ title, body, owner }: Payload<"issue.updated">): Counts {
  return some({
    edited: title !== undefined || body !== undefined ? 1 : 0,
    assigned: typeof owner === "string" ? 1 : 0,
    unassigned: owner === null ? 1 : 0,
  });
}

function linksChanged(payload: Payload<"issue.links_changed">): Counts {
  const count = (list: readonly string[] | undefined): number => list?.length ?? 0;
  return some({
    linked:
      count(payload.blocks_added) +
      count(payload.blocked_by_added) +
      count(payload.related_added) +
      (payload.parent_set === undefined ? 0 : 1),
    unlinked: count(payload.related_removed) + (payload.parent_removed === undefined ? 0 : 1),
    unblocked: count(payload.blocks_removed) + count(payload.blocked_by_removed),
  });
}

function some(counts: Counts): Counts {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
