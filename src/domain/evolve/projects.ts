import type { EventKind, StoredEvent } from "../../contract/events.ts";
import { applyDiff } from "../metadata.ts";
import type { Change, ProjectRow } from "../state.ts";
import type { Evolver } from "./evolver.ts";

/** This file folds the creation, names, aliases and archiving of projects (docs/contract/http-api.md#69-projects). */

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

export const renamed = onProject<"project.renamed">((project, { payload }) => ({
  ...project,
  name: payload.to,
}));

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

const archived = onProject<"project.removed">((project, { created_at }) => ({
  ...project,
  deleted_at: created_at,
}));

/** Archiving drops the aliases; restoring does not bring them back. */
export const removed: Evolver<"project.removed"> = {
  touches: ({ project_uid }) => ({ projects: [project_uid], of: { alias: [project_uid] } }),
  evolve: (state, event) => [
    ...archived.evolve(state, event),
    ...state
      .of("alias", event.project_uid)
      .map(({ alias_identity }): Change => ({ table: "alias", remove: { alias_identity } })),
  ],
};

export const restored = onProject<"project.restored">((project) => ({
  ...project,
  deleted_at: null,
}));

export const metadataUpdated = onProject<"project.metadata_updated">((project, { payload }) => ({
  ...project,
  metadata: applyDiff(project.metadata, payload.diff),
  revision: project.revision + 1,
}));

function onProject<K extends EventKind>(
  change: (project: ProjectRow, event: StoredEvent<K>) => ProjectRow,
): Evolver<K> {
  return {
    touches: ({ project_uid }) => ({ projects: [project_uid] }),
    evolve: (state, event) => {
      const project = state.project(event.project_uid);
      return project === undefined ? [] : [{ table: "project", put: change(project, event) }];
    },
  };
}
