import type { StoredEvent } from "../../contract/events.ts";
import { isHolder, isLeased } from "../../domain/leases.ts";
import type { LeaseRow } from "../../domain/state.ts";
import type { Facet } from "../../domain/undo/facets.ts";
import type { Revert, UndoPlan } from "../../domain/undo/plan.ts";
import type { Reader } from "../../store/types/store.ts";

export type ConflictReason =
  | "changed_later"
  | "leased"
  | "project_archived"
  | "open_children"
  | "parent_circle";

export interface Conflict {
  readonly facet: Facet;
  readonly reason: ConflictReason;
  readonly events: readonly StoredEvent[];
  readonly later: readonly StoredEvent[];
}

interface Asker {
  readonly actor: string;
  readonly instanceUid: string;
  /** The current time by the clock of the leases; called only if there are leases. */
  leaseNow(): Promise<string>;
}

/**
 * Returns why the plan cannot be carried out: a later event changed the same facet, or a rule for changes forbids it.
 */
export async function conflictsOf(
  reader: Reader,
  plan: UndoPlan,
  asker: Asker,
): Promise<readonly Conflict[]> {
  const builtOn = plan.builtOn.map(({ facet, event, later }): Conflict => {
    return { facet, reason: "changed_later", events: [event], later };
  });
  const circles = await parentCircles(reader, plan);
  const places = await placesOf(reader, plan, asker);
  const others: Conflict[] = [];
  for (const revert of plan.reverts) {
    const reason =
      placeReason(places, plan, revert, asker) ??
      (circles.has(revert) ? "parent_circle" : undefined) ??
      ((await leavesOpenChildren(reader, plan, revert, places.byIssue))
        ? "open_children"
        : undefined);
    if (reason !== undefined)
      others.push({ facet: revert.facet, reason, events: revert.events, later: [] });
  }
  return [...builtOn, ...others];
}

interface Places {
  readonly active: ReadonlySet<string>;
  readonly leases: ReadonlyMap<string, LeaseRow>;
  readonly byIssue: ReadonlyMap<string, readonly Revert[]>;
}

async function placesOf(reader: Reader, { reverts }: UndoPlan, asker: Asker): Promise<Places> {
  const byIssue = Map.groupBy(reverts, ({ facet }) => facet.uid);
  const active = (await reader.projects.list(false)).map(({ uid }) => uid);
  const unreleased = await reader.leases.unreleased([...byIssue.keys()]);
  const now = unreleased.size === 0 ? "" : await asker.leaseNow();
  const leases = new Map([...unreleased].filter(([, lease]) => isLeased(lease, now)));
  return { active: new Set(active), leases, byIssue };
}

/**
 * Returns a reason if a project of the change is archived. Also returns one if another holder leases the issue and the
 * undo does not end that lease.
 */
function placeReason(
  { active, leases, byIssue }: Places,
  { now, without }: UndoPlan,
  { facet }: Revert,
  { actor, instanceUid }: Asker,
): ConflictReason | undefined {
  const row = facet.of === "series" ? now.recurrence(facet.uid) : now.issue(facet.uid);
  const places = [row?.project_uid];
  if (facet.of === "issue" && facet.field === "project")
    places.push(without.issue(facet.uid)?.project_uid);
  for (const uid of places) {
    if (uid === undefined || !active.has(uid)) return "project_archived";
  }
  if (facet.of === "comment" || facet.of === "lease" || facet.of === "series") return undefined;
  const lease = leases.get(facet.uid);
  if (lease === undefined) return undefined;
  if (isHolder(lease, { holder: actor, holder_instance_uid: instanceUid })) return undefined;
  const undoesLease = byIssue.get(facet.uid)?.some((other) => other.facet.of === "lease");
  return undoesLease === true ? undefined : "leased";
}

/** Finds cycles that restored parents would create, by walking up from each child. */
async function parentCircles(reader: Reader, { reverts }: UndoPlan): Promise<ReadonlySet<Revert>> {
  const parents = reverts.filter(({ facet }) => facet.of === "parent");
  const wished = new Map(parents.map(({ facet, to }) => [facet.uid, to]));
  const parentOf = async (uid: string): Promise<string | undefined> => {
    if (!wished.has(uid)) return (await reader.links.parentOf(uid))?.to_uid;
    const to = wished.get(uid);
    return typeof to === "string" ? to : undefined;
  };
  const circles = new Set<Revert>();
  for (const revert of parents) {
    const seen = new Set([revert.facet.uid]);
    let parent = await parentOf(revert.facet.uid);
    while (parent !== undefined && !seen.has(parent)) {
      seen.add(parent);
      parent = await parentOf(parent);
    }
    if (parent === revert.facet.uid) circles.add(revert);
  }
  return circles;
}

/** True if the undo would close an issue and leave some of its children open. */
async function leavesOpenChildren(
  reader: Reader,
  { without }: UndoPlan,
  { facet }: Revert,
  byIssue: Places["byIssue"],
): Promise<boolean> {
  if (facet.of !== "issue" || facet.field !== "status") return false;
  if (without.issue(facet.uid)?.status !== "closed") return false;
  const children = await reader.issues.children(facet.uid);
  return children.some(
    (child) =>
      child.status === "open" &&
      child.deleted_at === null &&
      child.project_deleted_at === null &&
      !(byIssue.get(child.uid) ?? []).some(endsChild),
  );
}

function endsChild({ facet, to }: Revert): boolean {
  if (facet.of === "parent") return true;
  if (facet.of !== "issue") return false;
  if (facet.field === "exists") return true;
  if (facet.field === "deleted") return to !== null;
  return facet.field === "status" && Array.isArray(to) && to[0] === "closed";
}
