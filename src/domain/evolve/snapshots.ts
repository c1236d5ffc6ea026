import type { StoredEvent } from "../../contract/events.ts";
import type { Change, ImportRow, IssueRow, LinkRow, State } from "../state.ts";
import { contentOfIssue, type Evolver, later, mapped } from "./evolver.ts";
import { linkEnds, linksOfNewIssue, touchesOfNewIssue } from "./links.ts";

/**
 * This file folds a project's baseline (docs/contract/federation.md#88-the-baseline). A baseline changes no row on the
 * daemon that wrote it.
 */

export const federationEnabled: Evolver<"project.federation_enabled"> = {
  touches: ({ project_uid }) => ({ projects: [project_uid] }),
  evolve: (state, { project_uid, payload }) => {
    const project = state.project(project_uid);
    if (project === undefined) return [];
    const { metadata = project.metadata, revision = project.revision } = payload;
    return [{ table: "project", put: { ...project, metadata, revision } }];
  },
};

type Snapshot = StoredEvent<"issue.snapshot">;

/**
 * Creates the issue or overwrites it, but keeps its first author, short id and creation time. Labels, links and
 * comments are only added. The project may be missing, as with `issue.created`.
 */
export const issueSnapshot: Evolver<"issue.snapshot"> = {
  touches: ({ payload }) => {
    const { uid, labels = [], comments = [] } = payload;
    return {
      ...touchesOfNewIssue(uid, linksOf(payload)),
      labels: labels.map(({ label }) => [uid, label] as const),
      comments: comments.map(({ comment_uid }) => comment_uid),
    };
  },
  evolve: (state, event) => {
    const put = snapshotIssue(state, event);
    return [
      { table: "issue", put },
      ...newLabels(state, event.payload),
      ...linksOfNewIssue(state, put, linksOf(event.payload)),
      ...newComments(state, event.payload),
      ...mapped(state, importRows(event)),
      ...externalRoot(event.payload),
    ];
  },
};

function snapshotIssue(state: State, event: Snapshot): IssueRow {
  const { payload } = event;
  return {
    ...contentOfIssue(state, event),
    revision: payload.revision,
    updated_at: later(state.issue(payload.uid)?.updated_at ?? "", payload.updated_at),
    deleted_at: payload.deleted_at ?? null,
  };
}

function linksOf({ uid, links = [] }: Snapshot["payload"]): readonly LinkRow[] {
  return links.map(({ type, to_issue_uid, author, created_at }) => ({
    ...linkEnds(type, uid, to_issue_uid),
    author,
    created_at,
  }));
}

function newLabels(state: State, { uid, labels = [] }: Snapshot["payload"]): readonly Change[] {
  return labels
    .filter(({ label }) => state.label(uid, label) === undefined)
    .map(({ label, author, created_at }) => ({
      table: "label",
      put: { issue_uid: uid, label, author, created_at },
    }));
}

function newComments(state: State, { uid, comments = [] }: Snapshot["payload"]): readonly Change[] {
  return comments
    .filter(({ comment_uid }) => state.comment(comment_uid) === undefined)
    .map(({ comment_uid, author, body, created_at, teammate = null }) => ({
      table: "comment",
      put: { uid: comment_uid, issue_uid: uid, author, body, created_at, teammate },
    }));
}

/** A snapshot without a root takes none away, as with labels: a copy may have bound the issue by itself. */
function externalRoot({ uid, external_root: root }: Snapshot["payload"]): readonly Change[] {
  if (root === undefined) return [];
  const { binding_uid, connector_instance } = root;
  const enabled = root.enabled ? 1 : 0;
  const put = { issue_uid: uid, binding_uid, connector_instance, enabled } as const;
  return [{ table: "external_root", put }];
}

function importRows({ project_uid, payload }: Snapshot): readonly ImportRow[] {
  return (payload.sources ?? []).map(({ source, external_id, imported_at }) => {
    return { project_uid, source, external_id, issue_uid: payload.uid, imported_at };
  });
}
