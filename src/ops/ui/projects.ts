import type { StoredProject } from "../../store/types/rows.ts";
import type { SnapshotRequest, Sought } from "./snapshot-request.ts";

/**
 * Restricts a search to one active project: the one that the request names, and for the view `inbox` the one that has
 * this role. Returns `undefined` if there is no such project, since then no issue can be found. A request for all
 * projects stays as it is.
 */
export function inProjects(
  { view, project_uid }: Pick<SnapshotRequest, "view" | "project_uid">,
  active: readonly StoredProject[],
  sought: Sought,
): Sought | undefined {
  if (view !== "inbox" && project_uid === undefined) return sought;
  const project = active.find(
    ({ uid, metadata }) =>
      (project_uid === undefined || uid === project_uid) &&
      (view !== "inbox" || metadata["role"] === "inbox"),
  );
  if (project === undefined) return undefined;
  return { ...sought, filter: { ...sought.filter, project_uid: project.uid } };
}

/** Sorts by code units, as lists do everywhere. */
export function byName(left: StoredProject, right: StoredProject): number {
  if (left.name === right.name) return left.uid < right.uid ? -1 : 1;
  return left.name < right.name ? -1 : 1;
}
