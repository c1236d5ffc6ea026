import type { EnrollmentRow, StoredEnrollment } from "../../store/types/federation.ts";
import type { Reader } from "../../store/types/store.ts";

/** An enrollment as answers show it: without the hash of its token, and without what only the store needs. */
export function enrollmentOut(
  row: EnrollmentRow & Partial<Pick<StoredEnrollment, "last_used_at">>,
  project_id: number | null,
) {
  const { revoked_at, last_used_at = null } = row;
  return {
    id: row.id,
    spoke_instance_uid: row.spoke_instance_uid,
    project_id,
    capabilities: [...row.capabilities],
    actor: row.bound_actor,
    allow_adoption_snapshot_authors: row.allow_adoption_snapshot_authors === 1,
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...(revoked_at === null ? {} : { revoked_at }),
    ...(last_used_at === null ? {} : { last_used_at }),
  };
}

/** The local ids of the projects that the enrollments name, by uid. */
export async function projectIdsOf(
  { projects }: Pick<Reader, "projects">,
  rows: readonly Pick<EnrollmentRow, "project_uid">[],
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const uid of new Set(rows.map(({ project_uid }) => project_uid))) {
    const project = uid === null ? undefined : await projects.find(uid);
    if (project !== undefined) ids.set(project.uid, project.id);
  }
  return ids;
}
