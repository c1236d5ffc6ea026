import { applyDiff } from "../metadata.ts";
import type { Change, ProjectRow, State } from "../state.ts";
import type { Evolver } from "./evolver.ts";

/** Creation, names, aliases and archiving of projects: facts http-api 6.9. */

export const created: Evolver<"project.created"> = {
  touches: ({ project_uid }) => ({ projects: [project_uid] }),
  evolve: (state, event) => {
    if (state.project(event.project_uid) !== undefined) return [];
    const { name, metadata } = event.payload;
    return [
      {
        table: "project",
        put: {
          uid: event.project_uid,
          name,
          metadata: metadata ?? {},
          revision: 1,
          created_at: event.created_at,
          deleted_at: null,
        },
      },
    ];
  },
};

export const renamed: Evolver<"project.renamed"> = {
  touches: ({ project_uid }) => ({ projects: [project_uid] }),
  evolve: (state, event) =>
    changed(state, event.project_uid, (project) => ({ ...project, name: event.payload.to })),
};

export const aliasAdded: Evolver<"project.alias_added"> = {
  touches: ({ project_uid, payload }) => ({
    projects: [project_uid],
    rows: { alias: [payload.alias_identity] },
  }),
  evolve: (state, { project_uid, created_at, payload }) => {
    if (state.project(project_uid) === undefined) return [];
    const { alias_identity, alias_kind } = payload;
    return [{ table: "alias", put: { alias_identity, alias_kind, project_uid, created_at } }];
  },
};

export const aliasRemoved: Evolver<"project.alias_removed"> = {
  touches: ({ payload }) => ({ rows: { alias: [payload.alias_identity] } }),
  evolve: (state, { project_uid, payload }) => {
    const { alias_identity } = payload;
    if (state.row("alias", alias_identity)?.project_uid !== project_uid) return [];
    return [{ table: "alias", remove: { alias_identity } }];
  },
};

/** Archiving drops the aliases; restoring does not bring them back. */
export const removed: Evolver<"project.removed"> = {
  touches: ({ project_uid }) => ({ projects: [project_uid], of: { alias: [project_uid] } }),
  evolve: (state, event) => [
    ...changed(state, event.project_uid, (project) => ({
      ...project,
      deleted_at: event.created_at,
    })),
    ...state
      .of("alias", event.project_uid)
      .map(({ alias_identity }): Change => ({ table: "alias", remove: { alias_identity } })),
  ],
};

export const restored: Evolver<"project.restored"> = {
  touches: ({ project_uid }) => ({ projects: [project_uid] }),
  evolve: (state, event) =>
    changed(state, event.project_uid, (project) => ({ ...project, deleted_at: null })),
};

export const metadataUpdated: Evolver<"project.metadata_updated"> = {
  touches: ({ project_uid }) => ({ projects: [project_uid] }),
  evolve: (state, event) =>
    changed(state, event.project_uid, (project) => ({
      ...project,
      metadata: applyDiff(project.metadata, event.payload.diff),
      revision: project.revision + 1,
    })),
};

function changed(
  state: State,
  uid: string,
  change: (project: ProjectRow) => ProjectRow,
): readonly Change[] {
  const project = state.project(uid);
  return project === undefined ? [] : [{ table: "project", put: change(project) }];
}
