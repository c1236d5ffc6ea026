import { ERRORS, type ErrorCode, type ErrorEntry } from "../contract/error-codes.ts";

/** What an agent can do about a refusal, using tools instead of the command line. */
const AGENT_HINTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  token_invalid: "this server needs a new token from whoever runs the daemon",
  bootstrap_token_write_forbidden: "this server needs a token that names a person or an agent",
  token_not_found: "svc.tokens lists them",
  project_not_found: "svc.projects lists them",
  issue_not_found: "svc.search and svc.list find issues",
  comment_not_found: "svc.show lists the comments with their uids",
  duplicate_candidates: "comment on the existing issue, or send it again with force_new",
  parent_already_set: "svc.edit replaces it",
  already_claimed: "svc.next shows another issue",
  claim_denied: "take another issue, or wait for the end of the lease: svc.lease_status shows it",
  recurrence_pinned: "create a series in the other project with svc.recurrence_update",
  project_not_archived: "archive it first with svc.project_remove",
  project_has_open_issues: "close or move them, or archive it with them by force",
  alias_is_last: "detach it with force",
  issue_sync_not_found: "svc.sync_update enables it in a server of all projects",
  issue_sync_already_running: "wait until it is done: svc.sync_status shows it",
  issue_sync_binding_changed: "look at it with svc.sync_status, then send it again",
  issue_sync_federation_conflict:
    "end the one that is there first: svc.sync_update, svc.federation_leave",
  integration_administration_forbidden:
    "a person decides who may; with allow_identity_connector_administration in [auth] of the daemon's config.toml, tokens of persons may",
  bridge_not_found:
    "svc.bridge_bind makes a bridge, and svc.connectors lists the connectors, in a server of all projects",
  external_field_not_found: "svc.connector_fields lists them",
  external_root_conflict: "look at the bridge with svc.bridge_show; wait if a run is under way",
  external_root_claim_lost: "svc.bridge_show says why; svc.bridge_resume ends a pause",
  external_root_claim_active: "try again in a moment",
  external_root_content_owned: "change it in the other tracker; comments and closing are allowed",
  external_comment_content_owned: "edit it in the other tracker, or add a comment",
  external_comment_pending: "svc.bridge_show names the comment; svc.bridge_resolve_comment decides",
  external_field_conflict: "look at both values with svc.bridge_show, then decide again",
  external_root_federation_conflict: "end the bridges of the project first: svc.bridge_unbind",
  connector_error:
    "svc.connectors shows how the connector answers, in a server of all projects; send it again when it does. After a failed bind, svc.bridge_show says whether there is a bridge",
  federation_not_found: "svc.federation_status shows the projects that are federated",
  federation_enrollment_not_found: "svc.federation_status lists the enrollments",
  federation_quarantine_not_found: "svc.federation_quarantine lists those that wait",
  federation_quarantine_retry_unsupported: "skip it with svc.federation_quarantine",
  federated_read_only:
    "svc.federation_status shows which project it is; a copy can do this once it has left its hub (svc.federation_leave), a hub never",
  federated_admin_required: "do it on the hub that svc.federation_status names",
  not_a_spoke: "svc.federation_enrollment_revoke ends what others may read",
  federation_capability_mismatch:
    "the person at the hub must enroll this daemon with pull, and with push to change issues here",
  federation_binding_conflict: "svc.federation_status shows how; svc.federation_leave ends that",
  federation_credential_conflict: "svc.federation_leave deletes it",
  federation_project_not_found: "list the projects with svc.projects; a person hands one over",
  invalid_adoption_baseline:
    "ask a person to enroll the daemon so that it may hand the project over",
  federation_project_collision: "rename that one first with svc.project_update",
  federation_rejoin_unsent: "a person repeats the join, so that the copy sends its changes",
  federation_hub_refused: "a person gets a new enrollment from the hub, and joins with it",
  federation_rejoin_name_mismatch: "give it the name that it has on the hub: svc.project_update",
  federation_hub_unavailable:
    "a person looks at the address of the hub in the configuration; try again when it can be reached",
  federation_reset_blocked: "svc.federation_status shows how many; then send it again",
  hub_claim_failed: "svc.lease_status shows who has it; svc.federation_status shows the hub",
  federation_offline: "svc.federation_status shows what is wrong with it",
  not_a_hub: "svc.federation_status shows of which projects this daemon is the hub",
};

const COMMAND = /\bsvc [a-z]|(?:^|[\s(])--[a-z]/;

/**
 * Returns the hint for an agent, which has tools and no command line.
 *
 * - A hint that names a command or a flag is replaced by the hint in `AGENT_HINTS`, or left out if `AGENT_HINTS` has none for the
 *   code.
 * - The default hint of the error code is replaced by the hint in `AGENT_HINTS` if there is one.
 * - Any other hint stays as it is.
 */
export function hintForAgent(code: string, hint: string | undefined): string | undefined {
  if (hint === undefined) return undefined;
  const entry: ErrorEntry | undefined = ERRORS[code as ErrorCode];
  const isForPeople = COMMAND.test(hint);
  if (isForPeople || hint === entry?.hint)
    return AGENT_HINTS[code as ErrorCode] ?? (isForPeople ? undefined : hint);
  return hint;
}
