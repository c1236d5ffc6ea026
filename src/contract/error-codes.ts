/**
 * A refusal that a caller can cause, as the table `ERRORS` describes it (docs/contract/http-api.md#13-error-codes). The
 * response carries the code, and clients turn it back into an `SvcError`. A bug is answered with `internal`
 * (`base/invariant.ts`).
 */
export interface ErrorEntry {
  readonly status: number;
  readonly message: string;
  readonly hint?: string;
  /** The value of the header `Retry-After`, in seconds. */
  readonly retryAfterSeconds?: number;
}

/** The error codes. A comment explains a code if its message and hint are not enough. */
export const ERRORS = {
  /** The request itself is wrong: correct the named field and send it again. */
  validation: { status: 400, message: "the request is not valid" },
  cursor_conflict: {
    status: 400,
    message: "after_id and Last-Event-ID exclude each other",
    hint: "send one cursor",
  },
  /** The value of a reserved metadata key is malformed, or only svc itself may write the key. */
  invalid_metadata_value: { status: 400, message: "the metadata value is not valid" },
  invalid_inbox_designation: {
    status: 400,
    message: "the role inbox cannot be given so",
    hint: "send role alone, and take it from the project that has it first",
  },
  same_project: { status: 400, message: "the issue is in that project already" },
  prefix_too_short: {
    status: 400,
    message: "a uid prefix has at least 8 characters",
    hint: "give more of the uid, or project#short_id",
  },
  retry_protocol_required: {
    status: 400,
    message: 'Idempotency-Key and If-Match on close need retry_protocol "close-v1"',
    hint: 'add "retry_protocol": "close-v1" to the body',
  },
  /** The `Host` header does not name this daemon. Refusing the request protects against DNS rebinding. */
  host_invalid: {
    status: 400,
    message: "this daemon does not answer for that host",
    hint: "address it by the host and port that it listens on, or list those that you use in [web] allowed_hosts",
  },
  /** The request comes from a page of another origin, or from any page if this listener serves no pages. */
  origin_forbidden: {
    status: 403,
    message: "requests from that page are not taken here",
    hint: "use the daemon's own page, at the origin that svc daemon status shows",
  },
  /** The plan cannot be applied. `data.errors` lists everything that is wrong with it, and nothing was created. */
  plan_invalid: {
    status: 400,
    message: "the plan is not valid",
    hint: "correct what is listed and send it again; nothing was created",
  },
  /** The time span has more changes than one undo takes. `data.since` is a start that works. */
  undo_too_large: {
    status: 400,
    message: "too many changes for one undo",
    hint: "take back a shorter time, the last one first (--since, --until)",
  },
  /**
   * The request sends no token, and the daemon asks for one. A daemon without a token also answers with this code to
   * requests that nobody may send, such as a write to a read-only daemon.
   */
  auth_required: {
    status: 401,
    message: "this daemon asks for a token",
    hint: "set SVC_AUTH_TOKEN to it, or token in the [[daemon]] entry of config.toml",
  },
  /** The daemon has one shared token, and the request sends another one. */
  auth_invalid: {
    status: 403,
    message: "this is not the daemon's token",
    hint: "compare SVC_AUTH_TOKEN with [auth] token in the daemon's config.toml",
  },
  /** The daemon gives each person a token, and the request sends none of these. */
  token_invalid: {
    status: 403,
    message: "the token is unknown or was revoked",
    hint: "ask for a new one (svc tokens create --actor <name>) and set SVC_AUTH_TOKEN to it",
  },
  /** The bootstrap token belongs to no person, so a daemon with `require_token_identity` allows no writes with it. */
  bootstrap_token_write_forbidden: {
    status: 403,
    message: "the bootstrap token only reads and administers tokens",
    hint: "write with a token of your own: svc tokens create --actor <you>, then set SVC_AUTH_TOKEN to it",
  },
  token_admin_forbidden: {
    status: 403,
    message: "this credential may not administer tokens",
    hint: "use the daemon's bootstrap token ([auth] token), on a listener without a proxy",
  },
  /**
   * Connectors act in other trackers with credentials of the daemon
   * (docs/contract/connectors.md#8-who-may-use-connectors). Reads are refused too.
   */
  integration_administration_forbidden: {
    status: 403,
    message: "this caller may not administer connectors and bridges",
    hint: "docs/connectors.md says who may; for tokens of persons set allow_identity_connector_administration in [auth] of the daemon's config.toml",
  },
  /** On a listener in `trusted_proxy_listeners` the proxy must name the person in a header. */
  actor_header_required: {
    status: 400,
    message: "the proxy named no actor for this write",
    hint: "have the proxy send the header of [auth.proxy] trusted_actor_header",
  },
  /** The session is unknown, has ended or is of another listener, or its cookie or header is missing. */
  web_session_required: {
    status: 401,
    message: "pages need a session for this",
    hint: "sign in again on the page; a program sends a token, and no cookie or Origin",
  },
  login_invalid: {
    status: 401,
    message: "this token does not sign in here",
    hint: "give the daemon's token, or with require_token_identity one that svc tokens create made",
  },
  csrf_invalid: {
    status: 403,
    message: "the X-Svc-CSRF header is not that of the session",
    hint: "send the value of csrf that came with the session",
  },
  /** The session only reads: the daemon is read-only, or the session was opened with the bootstrap token. */
  read_only: {
    status: 403,
    message: "this session only reads",
    hint: "sign in with a token of your own on a daemon that is not read-only",
  },
  /** A session that was opened without a token may call only routes with `local` (`route.ts`). */
  web_local_operation_forbidden: {
    status: 403,
    message: "a page that was opened without a token may not do this",
    hint: "use the svc command",
  },
  /**
   * The daemon reads repositories with credentials of its own. So a caller with a token, or a caller that a proxy
   * names, may bind only repositories that the configuration lists.
   */
  issue_sync_repository_forbidden: {
    status: 403,
    message: "this credential may not bind that repository",
    hint: "list it in repositories of [provider_sync] in the daemon's config.toml",
  },
  not_found: { status: 404, message: "not found" },
  token_not_found: { status: 404, message: "no such token", hint: "svc tokens list" },
  /** The project does not exist or is archived. */
  project_not_found: { status: 404, message: "no such project", hint: "svc projects list" },
  project_not_initialized: {
    status: 404,
    message: "this folder belongs to no project",
    hint: "run svc init here, or name one with --project",
  },
  /** The ref names no live issue of the project. A number or a part of a uid never names an issue. */
  issue_not_found: {
    status: 404,
    message: "no such issue",
    hint: "give a short id (abc4), project#abc4 or a full uid",
  },
  /** No import into this project has this batch uid, or the import changed nothing. */
  import_not_found: { status: 404, message: "no such import", hint: "svc import list" },
  /** The project was never bound to a repository of this code host. */
  issue_sync_not_found: {
    status: 404,
    message: "the project reads from no repository of this code host",
    hint: "svc sync github enable --repo <owner>/<repo>",
  },
  /** The project has no binding: nobody enabled federation for it, and it is no copy. */
  federation_not_found: {
    status: 404,
    message: "the project is not federated",
    hint: "svc federation enable makes this daemon its hub",
  },
  /** The project has no such batch, or somebody has decided about it already. */
  federation_quarantine_not_found: {
    status: 404,
    message: "no such quarantined batch that waits for a decision",
    hint: "svc federation quarantine list",
  },
  federation_enrollment_not_found: {
    status: 404,
    message: "no such enrollment",
    hint: "svc federation enrollments list",
  },
  bridge_not_found: {
    status: 404,
    message: "there is no such bridge or connector",
    hint: "svc bridge bind makes a bridge; svc connector list shows the connectors",
  },
  external_field_not_found: {
    status: 404,
    message: "the connector has no such field",
    hint: "svc connector field list <instance> shows its fields",
  },
  alias_not_found: {
    status: 404,
    message: "no such alias",
    hint: "svc projects show lists the aliases",
  },
  comment_not_found: {
    status: 404,
    message: "no such comment",
    hint: "svc show lists the comments' uids",
  },
  /** The link connects two other issues. Deleting a link that does not exist is not an error. */
  link_not_found: { status: 404, message: "the issue has no such link" },
  method_not_allowed: { status: 405, message: "the method is not allowed here" },
  not_acceptable: { status: 406, message: "the stream answers text/event-stream only" },
  conflict: { status: 409, message: "conflicts with the current state" },
  idempotency_mismatch: {
    status: 409,
    message: "the idempotency key was used for another request",
    hint: "use a new key for a new request",
  },
  idempotency_deleted: {
    status: 409,
    message: "the issue made with this idempotency key was deleted",
    hint: "restore it, or use a new key",
  },
  duplicate_candidates: {
    status: 409,
    message: "there are issues like this one already",
    hint: "comment on the existing issue, or send it again with force_new (--force-new)",
  },
  /** A close with an idempotency key found the issue closed by another call. */
  issue_already_closed: { status: 409, message: "the issue was closed by another call" },
  /** A close with an idempotency key found the issue in another project. */
  issue_moved: { status: 409, message: "the issue has moved to another project" },
  parent_has_open_children: {
    status: 409,
    message: "the issue has open children",
    hint: "close them first, or give them another parent",
  },
  sibling_throttle: {
    status: 429,
    message: "too many siblings closed in a short time",
    hint: "verify each issue on its own, then try again later",
  },
  duplicate_message: {
    status: 429,
    message: "a sibling was closed with the same message",
    hint: "say what was done for this issue",
  },
  parent_already_set: {
    status: 409,
    message: "the issue has a parent already",
    hint: "send replace: true, or svc edit --parent",
  },
  /** `remove_parent` must name the current parent, so that nothing else is removed by mistake. */
  parent_mismatch: { status: 409, message: "that is not the issue's parent" },
  link_target_archived: { status: 409, message: "the other issue is in an archived project" },
  already_claimed: {
    status: 409,
    message: "the issue has another owner",
    hint: "take another issue, or claim with force (--force)",
  },
  claim_denied: {
    status: 409,
    message: "somebody else holds the lease of the issue",
    hint: "take another issue, or wait until the lease is over (svc lease status)",
  },
  /**
   * The lease of this write has expired, so the caller must read the issue again. For a take with an idempotency key:
   * the claim of the first call has ended, and the caller must use a new key.
   */
  claim_expired: {
    status: 409,
    message: "the lease has expired",
    hint: "acquire it again, then read the issue before you go on",
  },
  claim_not_held: { status: 409, message: "you do not hold the lease of the issue" },
  fence_stale: {
    status: 409,
    message: "the lease under which this is written is over; the issue was leased again",
    hint: "stop this work: somebody may have taken it over",
  },
  recurrence_pinned: {
    status: 409,
    message: "the issue belongs to a series and stays in its project",
    hint: "make a series in the other project (svc recurrence create)",
  },
  /** The body is not the body that `expected_body_hash` names. `data.body_hash` is the hash of the current body. */
  body_conflict: {
    status: 409,
    message: "the body of the issue has changed",
    hint: "read it again and merge both texts",
  },
  owner_mismatch: { status: 409, message: "the owner is not the expected one" },
  request_replaced: {
    status: 409,
    message: "there is a newer request by now; it was left",
    hint: "read the inbox again and handle that one too",
  },
  issue_sync_already_running: {
    status: 409,
    message: "the repository is being read by another run",
    hint: "wait until it is done: svc sync github status",
  },
  /** Somebody disabled or changed the binding during the request. A run stops at its next write. */
  issue_sync_binding_changed: {
    status: 409,
    message: "the binding was changed meanwhile",
    hint: "look at it with svc sync github status, then send it again",
  },
  /** A project either reads from a repository or is a copy of a project of another daemon, not both. */
  issue_sync_federation_conflict: {
    status: 409,
    message: "the project is bound to a repository",
    hint: "end that first: svc sync github disable",
  },
  /** The project to merge reads from a repository. After the merge, its issues would no longer be read from there. */
  project_has_issue_sync: {
    status: 409,
    message: "the project is bound to a repository",
    hint: "merge the other project into it instead",
  },
  /**
   * The request does not fit what is bound: the issue or the root has another bridge, or had one, a run works on the
   * bridge now, or the connector cannot do what was asked. The message says which.
   */
  external_root_conflict: {
    status: 409,
    message: "the bridge does not permit this now",
    hint: "svc bridge show says how the bridge stands; wait if a run is under way",
  },
  /** The run was ended by a pause or the end of the bridge, or another run began meanwhile. Nothing more was written. */
  external_root_claim_lost: {
    status: 409,
    message: "the bridge is paused, was ended, or another run works on it",
    hint: "svc bridge show says which; svc bridge resume ends a pause",
  },
  /** A run of the bridge is under way, and would not find the issue where it was. */
  external_root_claim_active: {
    status: 409,
    message: "the issue is being reconciled with its external root",
    hint: "try again in a moment",
  },
  /** While the bridge exists, also while it is paused, the root owns title and body, and the issue cannot be deleted. */
  external_root_content_owned: {
    status: 409,
    message: "an external root owns the title and body of the issue",
    hint: "change it there, or end the bridge first: svc bridge unbind",
  },
  /** The comment was imported from the root of the issue. */
  external_comment_content_owned: {
    status: 409,
    message: "the comment belongs to the external root of the issue",
    hint: "edit it there, or end the bridge first: svc bridge unbind",
  },
  /** A comment is being published, and the provider's answer was lost; or none is, and there is nothing to resolve. */
  external_comment_pending: {
    status: 409,
    message: "a comment is being published, and it is not known whether it arrived",
    hint: "svc bridge show names the comment; svc bridge resolve-comment decides about it",
  },
  /** The field has no conflict, or one of its two values has changed since the conflict was shown. */
  external_field_conflict: {
    status: 409,
    message: "the conflict of the field is not the one that was to be resolved",
    hint: "svc bridge show has the two values; decide again",
  },
  /** A project with a bridge cannot become a copy: another daemon would own its issues. */
  external_root_federation_conflict: {
    status: 409,
    message: "an issue of the project has a bridge to an external root",
    hint: "end its bridges first: svc bridge unbind",
  },
  /** A connector failed. The message is one of four fixed texts, never one of the connector. */
  connector_error: {
    status: 502,
    message: "external connector request failed",
    hint: "svc connector status says how the connector answers",
  },
  /**
   * The project is federated. On its hub, a change that its copies on other machines cannot follow is refused: a merge
   * or a purge of the project, and the rewriting of an actor's name. On a daemon with a copy that only reads, every
   * change is refused.
   */
  federated_read_only: {
    status: 409,
    message: "the project is federated, and its copies elsewhere could not follow this",
    hint: "svc federation status shows which project it is; a copy can do this once it has left its hub (svc federation leave), a hub never",
  },
  /** This daemon has a copy of the project, and only the hub may do this: purge or rename it, or change a series. */
  federated_admin_required: {
    status: 409,
    message: "only the hub of a federated project may do this",
    hint: "do it on the hub that svc federation status names",
  },
  /** This daemon has a copy of the project; the daemon that owns it is the hub. */
  not_a_hub: {
    status: 409,
    message: "the project is a copy of a project of another daemon",
    hint: "ask the hub that svc federation status names",
  },
  /** The project is no copy of a project of another daemon: this daemon is its hub. */
  not_a_spoke: {
    status: 409,
    message: "this daemon is the hub of the project, so it cannot leave one",
    hint: "svc federation revoke ends what others may read",
  },
  /**
   * The request asks for a capability that the enrollment, or this release, does not permit. Every copy needs `pull`. A
   * copy that is written to needs `push` too.
   */
  federation_capability_mismatch: {
    status: 400,
    message: "a copy needs an enrollment with pull",
    hint: "enroll again with --capabilities pull",
  },
  /** `data.fields` lists the fields in which the binding and the request differ. */
  federation_binding_conflict: {
    status: 409,
    message: "the project is bound to another hub, project or actor",
    hint: "svc federation status shows to which; svc federation leave ends that",
  },
  /**
   * The token that is stored for the project belongs to another hub, another project of the hub or another database, or
   * has another permission for plain HTTP. `data.fields` lists what differs.
   */
  federation_credential_conflict: {
    status: 409,
    message: "the token that is stored for the project belongs to another hub",
    hint: "svc federation leave deletes it",
  },
  federation_project_collision: {
    status: 409,
    message: "this daemon has a project of that name",
    hint: "rename that one first: svc projects rename",
  },
  /** The project was a copy before. Since then it, or the project on the hub, was renamed. `data` has both names. */
  federation_rejoin_name_mismatch: {
    status: 409,
    message: "the project has another name here than on the hub",
    hint: "give it the name that it has on the hub: svc projects rename",
  },
  /** The project left its hub and was changed since. A copy that only reads would lose these changes. */
  federation_rejoin_unsent: {
    status: 409,
    message:
      "the project has changes that the hub does not have, and a copy that only reads sends none",
    hint: "repeat the join with --push, and an enrollment with push: the hub then gets them in the name of its actor",
  },
  /**
   * The copy would be cleared, but it has changes that its hub does not have. `data.reset_blocker` is `pending_push`,
   * or `quarantine` if the hub refused some changes and nobody has decided about them.
   */
  federation_reset_blocked: {
    status: 409,
    message: "the hub has yet to get changes of this copy",
    hint: "svc federation status shows how many (pending_push_count); the daemon sends them by itself once it reaches the hub, then repeat this",
  },
  /** The hub of a copy was asked, and does not let this daemon read the project. `data.reason` has the code. */
  federation_hub_refused: {
    status: 409,
    message: "the hub does not let this daemon read the project",
    hint: "on the hub, svc federation enrollments list shows the enrollments, and svc federation enrollments rotate <id> or svc federation enroll gives a new token; run the join line that it prints here",
  },
  /** The hub of a copy gave no usable answer at the address to which the copy was to be moved. Nothing was changed. */
  federation_hub_unavailable: {
    status: 502,
    message: "the hub gives no answer at the new address, so nothing was changed",
    hint: "look at the url of the [[daemon]] entry; if you signed the certificate of the hub yourself, set NODE_EXTRA_CA_CERTS for the daemon. It reads both when it starts: svc daemon restart, then try again",
  },
  /**
   * The token of a hub is missing, its file cannot be used, or the hub cannot be reached. `data.file` names the file,
   * `data.reason` says what is wrong.
   */
  federation_offline: {
    status: 503,
    message: "the file with the tokens for hubs cannot be used",
    hint: "svc federation status shows what is wrong with it",
  },
  /**
   * The hub of a project refused a request about a lease. The answer has the HTTP status of the hub's answer, and
   * `data.reason` is the hub's code.
   */
  hub_claim_failed: {
    status: 409,
    message: "the hub of the project refused the lease",
    hint: "svc lease status shows who has it; svc federation status shows the hub",
  },
  /** The batch came from the hub, which sends it again by itself. */
  federation_quarantine_retry_unsupported: {
    status: 409,
    message: "only a batch that this daemon sent can be sent again",
    hint: "svc federation resync reads the copy anew",
  },
  /** The token belongs to an enrollment with other attributes, or to one that was revoked. */
  federation_enrollment_token_conflict: {
    status: 409,
    message: "another enrollment has or had this token",
    hint: "enroll with a new token",
  },
  /** Nothing was sent. `data.required` lists the features that the reader needs. */
  unsupported_event_features: {
    status: 409,
    message: "the project has events that the reader does not know",
    hint: "upgrade the daemon that reads",
  },
  /**
   * The stamp of the poll is no longer valid: another database with the same enrollment has polled since. One of the
   * two was duplicated from the other, or restored from a backup. The hub sends this replica nothing.
   */
  federation_replica_stale: {
    status: 409,
    message: "this replica was copied or restored: another one has read in its place",
    hint: "svc federation resync lets this one go on and ends the other; or give it an identity and an enrollment of its own",
  },
  /** The batch of a spoke has no version of the wire format, or a version that is no whole number above 0. */
  invalid_federation_schema: {
    status: 400,
    message: "schema_version must be a whole number greater than 0",
    hint: "send the version of the wire format",
  },
  /** The batch of a spoke is of a newer version of the wire format. `data.supported` is the hub's newest version. */
  unsupported_federation_schema: {
    status: 400,
    message: "the events are of a version that this hub does not know",
    hint: "upgrade the hub",
  },
  /** The request names a project that is to be handed over to a hub, and this daemon has no project of that name. */
  federation_project_not_found: {
    status: 404,
    message: "this daemon has no project of that name to be handed over",
    hint: "svc projects lists the projects; rename one to the name on the hub, or join without --adopt-existing",
  },
  /** A request is no part of the adoption that the enrollment of the spoke permits. The message says why. */
  invalid_adoption_baseline: {
    status: 400,
    message: "the request is no part of an adoption that the enrollment permits",
    hint: "enroll the spoke with --adopt-existing, and send the parts one after the other",
  },
  /** An event with this uid and another content is in the log. Nothing of the batch was added. */
  remote_event_conflict: {
    status: 409,
    message: "another event has the same uid",
    hint: "data.event_uid names it; one of both databases was changed by hand or restored",
  },
  /** Nothing of the batch was added. It may be accepted once the wrong clock is set right. */
  clock_ahead: {
    status: 503,
    message: "the clock of an event is more than 24 hours ahead",
    hint: "set the clocks of both machines right",
    retryAfterSeconds: 300,
  },
  federated_move_unsupported: {
    status: 409,
    message: "issues cannot be moved to or from a federated project",
    hint: "create the issue in the other project, and link both",
  },
  cron_conflict: {
    status: 409,
    message: "it is not what the request expects",
    hint: "read it again, then decide",
  },
  prefix_ambiguous: {
    status: 409,
    message: "several issues could be meant",
    hint: "give the uid, or more of it",
  },
  project_binding_conflict: {
    status: 409,
    message: "this workspace is bound to another project",
    hint: "send replace: true (svc init --replace)",
  },
  project_alias_conflict: {
    status: 409,
    message: "this repository is bound to another project",
    hint: "send reassign: true (svc init --reassign)",
  },
  project_archived: {
    status: 409,
    message: "an archived project has this name",
    hint: "choose another name, or restore the project",
  },
  project_already_archived: { status: 409, message: "the project is archived already" },
  project_not_archived: {
    status: 409,
    message: "the project is not archived",
    hint: "archive it first: svc projects remove",
  },
  project_has_open_issues: {
    status: 409,
    message: "the project has open issues",
    hint: "close or move them, or archive it with them (--force)",
  },
  /** Later changes by others depend on the changes to undo. `data.conflicts` lists them, and nothing was changed. */
  undo_conflict: {
    status: 409,
    message: "others built on these changes",
    hint: "settle what is listed by hand, or take back another span of time; nothing was changed",
  },
  project_merge_archived_source: { status: 409, message: "the project to merge is archived" },
  project_merge_archived_target: { status: 409, message: "the project to merge into is archived" },
  project_merge_import_mapping_collision: {
    status: 409,
    message: "both projects imported the same records",
    hint: "purge one of the two issues of each record",
  },
  /** Without this alias, only the project's name would lead to the project. To remove the alias anyway, set force. */
  alias_is_last: {
    status: 409,
    message: "it is the last alias of the project",
    hint: "send force: true (--force)",
  },
  profile_in_progress: {
    status: 409,
    message: "another profile is being recorded",
    hint: "ask again when it is done",
  },
  /** The client must send the text that the message names in the header `X-Svc-Confirm`. */
  confirm_required: { status: 412, message: "this must be confirmed" },
  confirm_mismatch: { status: 412, message: "the confirmation is another text than expected" },
  revision_conflict: {
    status: 412,
    message: "the revision has changed",
    hint: "read it again, then decide",
  },
  /** The request did not arrive within 30 seconds; nothing was done. */
  request_timeout: {
    status: 408,
    message: "the body of the request did not arrive in time",
    hint: "send it again",
  },
  payload_too_large: { status: 413, message: "the request body is too large" },
  unsupported_media_type: { status: 415, message: "the request body must be application/json" },
  internal: { status: 500, message: "an internal error; the daemon's log has the details" },
  profile_unsupported: {
    status: 501,
    message: "this Node has no such profile",
    hint: "/debug/pprof/ lists what it has",
  },
  /**
   * The repository could not be read. `data.category` says where it failed: `credentials`, `repository_mismatch`,
   * `repository_unavailable`, `rate_limited`, `provider_http`, `provider_decode`, `parent_scan`, `import` or
   * `interrupted`. What was imported before stays. The next run asks again for all changes since the last successful
   * run.
   */
  issue_sync_failed: { status: 502, message: "the repository could not be read" },
  /**
   * The daemon cannot do this now, for example because its disk is full or its database is gone. Nothing was changed.
   */
  unavailable: { status: 503, message: "the daemon cannot do this now; nothing was changed" },
  /**
   * The change may have been made: its commit was under way when the connection to the database broke, the disk failed
   * or the thread that wrote it ended. Look whether it was made before you send it again. A request with an idempotency
   * key can be sent again at once: it is carried out once.
   */
  outcome_unknown: {
    status: 503,
    message: "it is not known whether the change was made",
    hint: "look whether it was made before you repeat it; with an idempotency key, send it again with the same key",
  },
  /**
   * This write waited for two seconds, was dropped, and is never carried out. The caller may send it again. The message
   * and `data.reason` name what it waited for: another program that writes (`lock`), a large write of this daemon
   * (`bulk`), the writes before it (`queue`), or the database, which does not answer (`database`). A request of a spoke
   * that waited ten seconds for requests of other spokes (`spokes`) was not carried out either.
   */
  busy: {
    status: 503,
    message: "the database was not free for this write; it was not carried out",
    hint: "send it again in a moment",
    retryAfterSeconds: 1,
  },
  ui_unavailable: {
    status: 503,
    message: "this daemon serves no browser pages",
    hint: "svc daemon status shows its addresses; pages need one over TCP ([web] listen)",
  },
  daemon_stopping: { status: 503, message: "the daemon is stopping", hint: "try again" },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;
