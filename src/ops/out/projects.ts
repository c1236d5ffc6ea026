import type { AliasRow } from "../../domain/state.ts";
import type { StoredProject, WithId } from "../../store/types/rows.ts";

/** A project, as answers contain it. */
export function projectOut(project: StoredProject) {
  return {
    id: project.id,
    uid: project.uid,
    name: project.name,
    metadata: project.metadata,
    revision: project.revision,
    created_at: project.created_at,
    ...(project.deleted_at === null ? {} : { deleted_at: project.deleted_at }),
  };
}

/** An alias of a project, as answers contain it. */
export function aliasOut(alias: WithId<AliasRow>, project: StoredProject) {
  return {
    id: alias.id,
    project_id: project.id,
    alias_identity: alias.alias_identity,
    alias_kind: alias.alias_kind,
    created_at: alias.created_at,
  };
}
