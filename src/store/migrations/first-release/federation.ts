import type { SchemaTools } from "../../upgrade/migrate.ts";

/**
 * Creates the tables of federated projects: the bindings, what a hub keeps of its copies, and what a copy keeps of its
 * hub.
 */
export async function federationTables(schema: SchemaTools): Promise<void> {
  await bindingTables(schema);
  await hubTables(schema);
  await leaseTables(schema);
}

async function bindingTables({ table, index }: SchemaTools): Promise<void> {
  await table(
    "federation_binding",
    `project_uid text not null, role text not null, hub_url text, hub_project_id int, hub_project_uid text,
     replay_horizon_event_id int not null, baseline_through_event_id int not null,
     pull_cursor_event_id int not null, push_enabled int not null, push_cursor_event_id int not null,
     bound_actor text, allow_insecure int not null, enabled int not null, disabled_reason text,
     created_at text not null, updated_at text not null, last_sync_at text,
     hub_epoch text, hub_chain text, hub_stamp text, baseline_claim text, baseline_claimed_at text,
     own_through_event_id int, pushes_once_read int not null default 0, adopted_through_event_id int`,
    "primary key (project_uid)",
  );
  await table(
    "federation_sync_status",
    `project_uid text not null, last_pull_started_at text, last_pull_success_at text, last_push_started_at text,
     last_push_success_at text, last_error_at text, last_error text, last_reset_at text`,
    "primary key (project_uid)",
  );
  await table(
    "federation_quarantine",
    `id int not null, project_uid text not null, direction text not null, first_event_id int not null,
     last_event_id int not null, event_uids text not null, error text not null, created_at text not null,
     skipped_at text, skipped_by text, skip_reason text, detail text`,
    "primary key (project_uid, id)",
  );
  await index("federation_quarantine_active", "federation_quarantine", "project_uid, direction", {
    unique: true,
    where: "skipped_at is null",
  });
  await table(
    "federation_leave",
    "project_uid text not null, actor text not null, prepared_at text not null",
    "primary key (project_uid)",
  );
  // The counts that a hub and a copy keep of the events that both have.
  await table(
    "federation_digest",
    `project_uid text not null, bound_at text not null, log_epoch text not null, from_event_id int not null,
     reset_after_event_id int not null, through_event_id int not null, event_count int not null,
     hash_sum text not null, begun_at text not null, compared_at text, compared_through_event_id int,
     unequal_passes int not null, hub_fold_version int`,
    "primary key (project_uid)",
  );
}

async function hubTables({ table, index }: SchemaTools): Promise<void> {
  await table(
    "federation_enrollment",
    `id int not null, token_hash text not null, spoke_instance_uid text not null, project_uid text,
     capabilities text not null, bound_actor text not null, allow_adoption_snapshot_authors int not null,
     adoption_baseline_open int not null, adoption_baseline_next_source_event_id int,
     adoption_baseline_end_source_event_id int, made_with_token_uid text, created_at text not null,
     updated_at text not null, revoked_at text`,
    "primary key (id)",
  );
  await index("federation_enrollment_token", "federation_enrollment", "token_hash", {
    unique: true,
  });
  await index("federation_enrollment_project", "federation_enrollment", "project_uid");
  await index("federation_enrollment_maker", "federation_enrollment", "made_with_token_uid", {
    where: "made_with_token_uid is not null",
  });
  await table(
    "federation_replica",
    `enrollment_id int not null, project_uid text not null, stamp text, former_stamp text,
     after_event_id int not null, seen_at text not null`,
    "primary key (enrollment_id, project_uid)",
  );
}

async function leaseTables({ table, index }: SchemaTools): Promise<void> {
  await table(
    "pending_lease",
    `request_uid text not null, project_uid text not null, issue_uid text not null, holder text not null,
     holder_instance_uid text not null, client_kind text not null, claim_kind text not null, ttl_seconds int,
     purpose text not null, requested_at text not null, last_attempt_at text, last_error text, rejected_at text,
     resolved_at text`,
    "primary key (request_uid)",
  );
  await index(
    "pending_lease_active",
    "pending_lease",
    "issue_uid, holder_instance_uid, holder, client_kind",
    { unique: true, where: "rejected_at is null and resolved_at is null" },
  );
  await table(
    "mirrored_lease",
    `issue_uid text not null, project_uid text not null, claim_uid text not null, holder text not null,
     holder_instance_uid text not null, client_kind text not null, purpose text not null, claim_kind text not null,
     acquired_at text not null, expires_at text, released_at text, release_reason text, revision int not null,
     updated_at text not null, heard_at text not null`,
    "primary key (issue_uid)",
  );
}
