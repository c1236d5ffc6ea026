import type { StoredProject } from "../../store/types/rows.ts";
import type { IssueSearch, SnapshotRequest } from "./snapshot-request.ts";

/**
 * Restricts a search to one active project: the project that the request names or, for the view `inbox`, the project
 * with the role `inbox`. If the request names a project in the view `inbox`, that project must have the role. Returns
 * `undefined` if there is no such project, since then no issue can be found. A request for all projects is not
 * restricted.
 */
export function inProjects(
  { view, project_uid }: Pick<SnapshotRequest, "view" | "project_uid">,
  active: readonly StoredProject[],
  sought: IssueSearch,
): IssueSearch | undefined {
  if (view !== "inbox" && project_uid === undefined) return sought;
  const project = active.find(
    ({ uid, metadata }) =>
      (project_uid === undefined || uid === project_uid) &&
      (view !== "inbox" || metadata["role"] === "inbox"),
  );
  if (project === undefined) return undefined;
  return { ...sought, filter: { ...sought.filter, project_uid: project.uid } };
}

/** Compares two projects by name, in the order of code units, which all lists use. */
export function byName(left: StoredProject, right: StoredProject): number {
  if (left.name === right.name) return left.uid < right.uid ? -1 : 1;
  return left.name < right.name ? -1 : 1;
}
