import type { EventDraft, Payload } from "../../src/contract/events.ts";
import {
  type BridgeState,
  externalRootBound,
  externalRootPaused,
  externalRootResumed,
  externalRootUnbound,
} from "../../src/domain/drafts/bridges.ts";
import type { Store } from "../../src/store/types/store.ts";

/** Short forms of the events that operations make. Uids are made from a number, so that they sort by it. */

export const T0 = "2026-01-01T00:00:00.000Z";
const ACTOR = "ann";

export function uid(number: number): string {
  return `01J${String(number).padStart(23, "0")}`;
}

export function projectCreated(project: string, name: string): EventDraft<"project.created"> {
  return { type: "project.created", actor: ACTOR, project_uid: project, payload: { name } };
}

export function projectRemoved(project: string): EventDraft<"project.removed"> {
  return {
    type: "project.removed",
    actor: ACTOR,
    project_uid: project,
    payload: { alias_count: 0, open_issues: 0, force: true },
  };
}

export function projectRestored(project: string): EventDraft<"project.restored"> {
  return { type: "project.restored", actor: ACTOR, project_uid: project, payload: {} };
}

export function aliasAdded(
  project: string,
  alias_identity: string,
): EventDraft<"project.alias_added"> {
  return {
    type: "project.alias_added",
    actor: ACTOR,
    project_uid: project,
    payload: { alias_identity, alias_kind: "git" },
  };
}

export function created(
  project_uid: string,
  issue_uid: string,
  fields: Partial<Payload<"issue.created">> = {},
): EventDraft<"issue.created"> {
  const payload = {
    uid: issue_uid,
    short_id: issue_uid.slice(-6).toLowerCase(),
    title: `Issue ${issue_uid.slice(-6)}`,
    body: "",
    author: ACTOR,
    status: "open" as const,
    metadata: {},
    created_at: T0,
    ...fields,
  };
  return { type: "issue.created", actor: ACTOR, project_uid, issue_uid, payload };
}

export function edited(
  project_uid: string,
  issue_uid: string,
  fields: Partial<Payload<"issue.updated">>,
): EventDraft<"issue.updated"> {
  return {
    type: "issue.updated",
    actor: ACTOR,
    project_uid,
    issue_uid,
    payload: { updated_at: T0, ...fields },
  };
}

export function closed(
  project_uid: string,
  issue_uid: string,
  at: string = T0,
): EventDraft<"issue.closed"> {
  const payload = { reason: "done", closed_at: at, parent_uid: "", parent_short_id: "" };
  return { type: "issue.closed", actor: ACTOR, project_uid, issue_uid, payload };
}

export function reopened(project_uid: string, issue_uid: string): EventDraft<"issue.reopened"> {
  return {
    type: "issue.reopened",
    actor: ACTOR,
    project_uid,
    issue_uid,
    payload: { reopened_at: T0, updated_at: T0 },
  };
}

export function deleted(project_uid: string, issue_uid: string): EventDraft<"issue.soft_deleted"> {
  return {
    type: "issue.soft_deleted",
    actor: ACTOR,
    project_uid,
    issue_uid,
    payload: { deleted_at: T0 },
  };
}

export function restored(project_uid: string, issue_uid: string): EventDraft<"issue.restored"> {
  return {
    type: "issue.restored",
    actor: ACTOR,
    project_uid,
    issue_uid,
    payload: { restored_at: T0, updated_at: T0 },
  };
}

export function commented(
  project_uid: string,
  issue_uid: string,
  comment_uid: string,
  body: string,
): EventDraft<"issue.commented"> {
  const payload = { comment_uid, author: ACTOR, body, created_at: T0 };
  return { type: "issue.commented", actor: ACTOR, project_uid, issue_uid, payload };
}

export function commentEdited(
  project_uid: string,
  issue_uid: string,
  comment_uid: string,
  body: string,
): EventDraft<"issue.comment_edited"> {
  return {
    type: "issue.comment_edited",
    actor: ACTOR,
    project_uid,
    issue_uid,
    payload: { comment_uid, body, edited_at: T0 },
  };
}

export function labeled(
  project_uid: string,
  issue_uid: string,
  label: string,
): EventDraft<"issue.labeled"> {
  return {
    type: "issue.labeled",
    actor: ACTOR,
    project_uid,
    issue_uid,
    payload: { label, updated_at: T0 },
  };
}

export function unlabeled(
  project_uid: string,
  issue_uid: string,
  label: string,
): EventDraft<"issue.unlabeled"> {
  return {
    type: "issue.unlabeled",
    actor: ACTOR,
    project_uid,
    issue_uid,
    payload: { label, updated_at: T0 },
  };
}

export function linksChanged(
  project_uid: string,
  issue_uid: string,
  fields: Partial<Payload<"issue.links_changed">>,
): EventDraft<"issue.links_changed"> {
  return {
    type: "issue.links_changed",
    actor: ACTOR,
    project_uid,
    issue_uid,
    payload: { updated_at: T0, ...fields },
  };
}

export function metadataSet(
  project_uid: string,
  issue_uid: string,
  diff: Payload<"issue.metadata_updated">["diff"],
): EventDraft<"issue.metadata_updated"> {
  return {
    type: "issue.metadata_updated",
    actor: ACTOR,
    project_uid,
    issue_uid,
    payload: { diff, revision_new: 0, updated_at: T0 },
  };
}

/** More events than this are appended together, because each event of its own takes several statements. */
const MANY = 500;

/** Writes these events in one transaction. */
export async function log(
  store: Pick<Store, "write">,
  ...drafts: readonly EventDraft[]
): Promise<void> {
  await store.write(async (tx) => {
    if (drafts.length > MANY) await tx.appendAll(drafts);
    else for (const draft of drafts) await tx.append(draft);
  });
}

const BRIDGED = {
  bound: externalRootBound,
  resumed: externalRootResumed,
  unbound: externalRootUnbound,
};

/** An event of the bridge with this uid. */
export function bridged(
  project_uid: string,
  issue_uid: string,
  action: "bound" | "paused" | "resumed" | "unbound",
  binding_uid: string,
): EventDraft {
  const bridge: BridgeState = {
    uid: binding_uid,
    connector_instance: "notes",
    external_root_key: `root-of-${issue_uid}`,
    active: action === "unbound" ? 0 : 1,
    enabled: action === "bound" || action === "resumed" ? 1 : 0,
    pending_comment_uid: null,
  };
  const [issue, act] = [
    { uid: issue_uid, project_uid },
    { actor: ACTOR, now: T0 },
  ];
  return action === "paused"
    ? externalRootPaused(issue, bridge, "holidays", act)
    : BRIDGED[action](issue, bridge, act);
}
