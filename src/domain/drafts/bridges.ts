import type { Payload } from "../../contract/events.ts";
import { type Act, type IssueInProject, issueEventDraft } from "./draft.ts";

/** The bridge that an event is about, as it is after the event. */
export interface BridgeState {
  readonly uid: string;
  readonly connector_instance: string;
  readonly external_root_key: string;
  readonly active: 0 | 1;
  readonly enabled: 0 | 1;
  readonly pending_comment_uid: string | null;
}

/** How a pending comment was resolved: `published` by a run, the others by a person. */
type CommentAction = Payload<"issue.external_comment_resolved">["action"];

type SvcField = Payload<"issue.external_field_conflicted">["svc_field"];

export function externalRootBound(issue: IssueInProject, bridge: BridgeState, act: Act) {
  const payload = { ...about(bridge, act), action: "bound" as const };
  return issueEventDraft("issue.external_root_bound", issue, act, payload);
}

/** `reason` is why the bridge was paused; without it, nobody gave one. */
export function externalRootPaused(
  issue: IssueInProject,
  bridge: BridgeState,
  reason: string | null,
  act: Act,
) {
  return issueEventDraft("issue.external_root_paused", issue, act, {
    ...about(bridge, act),
    action: "paused",
    ...(reason === null ? {} : { reason }),
  });
}

export function externalRootResumed(issue: IssueInProject, bridge: BridgeState, act: Act) {
  const payload = { ...about(bridge, act), action: "resumed" as const };
  return issueEventDraft("issue.external_root_resumed", issue, act, payload);
}

export function externalRootUnbound(issue: IssueInProject, bridge: BridgeState, act: Act) {
  const payload = { ...about(bridge, act), action: "unbound" as const };
  return issueEventDraft("issue.external_root_unbound", issue, act, payload);
}

export function externalCommentResolved(
  issue: IssueInProject,
  bridge: BridgeState,
  action: CommentAction,
  act: Act,
) {
  const payload = { ...about(bridge, act), action };
  return issueEventDraft("issue.external_comment_resolved", issue, act, payload);
}

export function externalFieldConflicted(
  issue: IssueInProject,
  bridge: BridgeState,
  svc_field: SvcField,
  act: Act,
) {
  const payload = { ...about(bridge, act), action: "conflicted" as const, svc_field };
  return issueEventDraft("issue.external_field_conflicted", issue, act, payload);
}

export function externalFieldResolved(
  issue: IssueInProject,
  bridge: BridgeState,
  svc_field: SvcField,
  act: Act,
) {
  const payload = { ...about(bridge, act), action: "resolved" as const, svc_field };
  return issueEventDraft("issue.external_field_resolved", issue, act, payload);
}

function about(bridge: BridgeState, { actor }: Act) {
  const { uid, connector_instance, external_root_key, pending_comment_uid } = bridge;
  return {
    binding_uid: uid,
    connector_instance,
    external_root_key,
    actor,
    active: bridge.active === 1,
    enabled: bridge.enabled === 1,
    ...(pending_comment_uid === null ? {} : { pending_comment_uid }),
  };
}
