import type { StoredEvent } from "../../contract/events.ts";
import { hasExpired, isHolder, isUnreleased } from "../../domain/leases.ts";
import type { Facet } from "../../domain/undo/facets.ts";
import type { Revert, UndoPlan } from "../../domain/undo/plan.ts";
import type { Reader } from "../../store/types.ts";

export type ConflictReason =
  | "changed_later"
  | "leased"
  | "project_archived"
  | "open_children"
  | "parent_circle";

export interface Conflict {
  readonly facet: Facet;
  readonly reason: ConflictReason;
  /** The changes that cannot be taken back for it. */
  readonly events: readonly StoredEvent[];
  readonly later: readonly StoredEvent[];
}

interface Asker {
  readonly actor: string;
  readonly instanceUid: string;
  readonly now: string;
}

/** What keeps the plan from being carried out: others who built on it, and rules that hold for everybody's changes. */
export async function conflictsOf(
  reader: Reader,
  plan: UndoPlan,
  asker: Asker,
): Promise<readonly Conflict[]> {
  const builtOn = plan.builtOn.map(({ facet, event, later }): Conflict => {
    return { facet, reason: "changed_later", events: [event], later };
  });
  const circles = await parentCircles(reader, plan);
  const others: Conflict[] = [];
  for (const revert of plan.reverts) {
    const reason =
      (await placeReason(reader, plan, revert, asker)) ??
      (circles.has(revert) ? "parent_circle" : undefined) ??
      ((await leavesOpenChildren(reader, plan, revert)) ? "open_children" : undefined);
    if (reason !== undefined)
      others.push({ facet: revert.facet, reason, events: revert.events, later: [] });
  }
  return [...builtOn, ...others];
}

/** An archived project is not written in, nor an issue that somebody else holds under a lease. */
async function placeReason(
  reader: Reader,
  { now, without, reverts }: UndoPlan,
  { facet }: Revert,
  { actor, instanceUid, now: at }: Asker,
): Promise<ConflictReason | undefined> {
  const places = [now.issue(facet.uid)?.project_uid];
  if (facet.of === "issue" && facet.field === "project")
    places.push(without.issue(facet.uid)?.project_uid);
  for (const uid of places) {
    const project = uid === undefined ? undefined : await reader.projects.find(uid);
    if (project === undefined || project.deleted_at !== null) return "project_archived";
  }
  if (facet.of === "comment" || facet.of === "lease") return undefined;
  const lease = await reader.leases.of(facet.uid);
  if (!isUnreleased(lease) || hasExpired(lease, at)) return undefined;
  if (isHolder(lease, { holder: actor, holder_instance_uid: instanceUid })) return undefined;
  const given = reverts.some(
    (other) => other.facet.of === "lease" && other.facet.uid === facet.uid,
  );
  return given ? undefined : "leased";
}

/** Parents as they would be: a walk up from each child that gets one back must not meet it again. */
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

/** An issue is not closed over open children, but for those that are closed or deleted with it. */
async function leavesOpenChildren(
  reader: Reader,
  { without, reverts }: UndoPlan,
  { facet }: Revert,
): Promise<boolean> {
  if (facet.of !== "issue" || facet.field !== "status") return false;
  if (without.issue(facet.uid)?.status !== "closed") return false;
  const children = await reader.issues.children(facet.uid);
  return children.some(
    (child) =>
      child.status === "open" &&
      child.deleted_at === null &&
      child.project_deleted_at === null &&
      !reverts.some((other) => endsChild(other, child.uid)),
  );
}

function endsChild({ facet, to }: Revert, child: string): boolean {
  if (facet.uid !== child) return false;
  if (facet.of === "parent") return true;
  if (facet.of !== "issue") return false;
  if (facet.field === "exists") return true;
  if (facet.field === "deleted") return to !== null;
  return facet.field === "status" && Array.isArray(to) && to[0] === "closed";
}
