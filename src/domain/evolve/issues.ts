import type { Payload, StoredEvent } from "../../contract/events.ts";
import { applyDiff } from "../metadata.ts";
import type { Change, ImportRow, IssueRow, LinkRow, State } from "../state.ts";
import {
  contentOfIssue,
  type Evolver,
  issueEvolver,
  later,
  mapped,
  markOf,
  subject,
  subjectOf,
  touched,
} from "./evolver.ts";
import { linkEnds, linksOfNewIssue, touchesOfNewIssue } from "./links.ts";
import { isOwnLink } from "./own-links.ts";

type Created = StoredEvent<"issue.created">;

/**
 * Creates the issue or overwrites it, but keeps its first author, short id and creation time. The project may be
 * missing, because an issue that was moved to another project remains when its first project is purged.
 */
export const created: Evolver<"issue.created"> = {
  touches: (event) => touchesOfNewIssue(event.payload.uid, linksOf(event)),
  evolve: (state, event) => {
    const put = createdIssue(state, event);
    return [
      { table: "issue", put },
      ...labels(event),
      ...linksOfNewIssue(
        state,
        put,
        linksOf(event).filter((ends) => isOwnLink(state, event, ends)),
      ),
      ...markOf(event),
      ...mapped(state, importRows(event)),
    ];
  },
};

function createdIssue(state: State, event: Created): IssueRow {
  const { payload } = event;
  const known = state.issue(payload.uid);
  return {
    ...contentOfIssue(state, event),
    revision: known?.revision ?? 1,
    updated_at: later(known?.updated_at ?? "", payload.updated_at ?? payload.created_at),
    deleted_at: known?.deleted_at ?? null,
  };
}

function linksOf({ payload, created_at }: Created): readonly LinkRow[] {
  return (payload.links ?? []).map(({ type, to_issue_uid, incoming, author }) => ({
    ...linkEnds(type, payload.uid, to_issue_uid, incoming === true),
    ...{ author, created_at },
  }));
}

function labels({ payload, actor, created_at }: Created): readonly Change[] {
  return (payload.labels ?? []).map((label) => ({
    table: "label",
    put: { issue_uid: payload.uid, label, author: actor, created_at },
  }));
}

function importRows({ payload, project_uid, created_at }: Created): readonly ImportRow[] {
  const { source, external_id, other_external_ids = [], uid: issue_uid } = payload;
  if (source === undefined || external_id === undefined) return [];
  const row = { project_uid, source, issue_uid, imported_at: created_at };
  return [external_id, ...other_external_ids].map((id) => ({ ...row, external_id: id }));
}

export const updated = issueEvolver<"issue.updated">((issue, { payload }) => ({
  ...issue,
  title: payload.title ?? issue.title,
  body: payload.body ?? issue.body,
  owner: payload.owner === undefined ? issue.owner : payload.owner,
  revision: payload.owner === undefined ? issue.revision : issue.revision + 1,
  updated_at: later(issue.updated_at, payload.updated_at),
}));

/**
 * The event of a take (`svc next --claim`) may contain the idempotency key of its request, which is stored too
 * (docs/contract/http-api.md#17-idempotency-keys).
 */
export const assigned: Evolver<"issue.assigned"> = {
  touches: subject,
  evolve: (state, event) => {
    const issue = subjectOf(state, event);
    if (issue === undefined) return [];
    return [{ table: "issue", put: withOwner(issue, event) }, ...markOf(event)];
  },
};

export const unassigned = issueEvolver<"issue.unassigned">(withOwner);

/**
 * A change of owner increments the revision; changes of title, body, priority, labels, links and comments do not
 * (docs/contract/http-api.md#16-revisions).
 */
function withOwner(
  issue: IssueRow,
  { payload }: { readonly payload: Payload<"issue.assigned" | "issue.unassigned"> },
): IssueRow {
  const updated_at = later(issue.updated_at, payload.updated_at);
  return { ...issue, owner: payload.owner, revision: issue.revision + 1, updated_at };
}

export const prioritySet = issueEvolver<"issue.priority_set">((issue, { payload }) => ({
  ...issue,
  priority: payload.priority,
  updated_at: later(issue.updated_at, payload.updated_at),
}));

export const priorityCleared = issueEvolver<"issue.priority_cleared">((issue, { payload }) => ({
  ...issue,
  priority: null,
  updated_at: later(issue.updated_at, payload.updated_at),
}));

export const closed: Evolver<"issue.closed"> = {
  touches: subject,
  evolve: (state, event) => {
    const issue = subjectOf(state, event);
    if (issue === undefined) return [];
    const { reason, closed_at } = event.payload;
    const put: IssueRow = {
      ...issue,
      status: "closed",
      closed_reason: reason,
      closed_at,
      revision: issue.revision + 1,
      updated_at: later(issue.updated_at, closed_at),
    };
    return [{ table: "issue", put }, ...markOf(event)];
  },
};

export const reopened = issueEvolver<"issue.reopened">((issue, { payload }) => ({
  ...issue,
  status: "open",
  closed_reason: null,
  closed_at: null,
  revision: issue.revision + 1,
  updated_at: later(issue.updated_at, payload.updated_at),
}));

export const softDeleted = issueEvolver<"issue.soft_deleted">((issue, { payload }) => ({
  ...issue,
  deleted_at: payload.deleted_at,
  updated_at: later(issue.updated_at, payload.deleted_at),
}));

export const restored = issueEvolver<"issue.restored">((issue, { payload }) => ({
  ...issue,
  deleted_at: null,
  updated_at: later(issue.updated_at, payload.updated_at),
}));

export const metadataUpdated = issueEvolver<"issue.metadata_updated">((issue, { payload }) => ({
  ...issue,
  metadata: applyDiff(issue.metadata, payload.diff),
  revision: issue.revision + 1,
  updated_at: later(issue.updated_at, payload.updated_at),
}));

/**
 * Adds the ids by which a further source knows the issue. The issue itself does not change, because the event is not
 * sent to other daemons, which may have the issue too. Only events of older versions have an `updated_at`; such an
 * event also moves the issue's `updated_at` forward. The imported fields need no column, because the next import
 * computes them from the log (domain/imports/base.ts).
 */
export const importRead: Evolver<"issue.imported"> = {
  touches: subject,
  evolve: (state, event) => {
    const issue = subjectOf(state, event);
    if (issue === undefined) return [];
    const { payload, project_uid, created_at: imported_at } = event;
    const { source, external_ids = [], updated_at } = payload;
    const row = { project_uid, source, issue_uid: issue.uid, imported_at };
    return [
      ...(updated_at === undefined ? [] : [touched(issue, updated_at)]),
      ...mapped(
        state,
        external_ids.map((external_id) => ({ ...row, external_id })),
      ),
    ];
  },
};
