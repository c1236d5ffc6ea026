import type { SchemaTools } from "../../upgrade/migrate.ts";

/** Creates the tables of projects that are read from a code host, and of issues that are bound to external roots. */
export async function otherTrackerTables(schema: SchemaTools): Promise<void> {
  await issueSyncTables(schema);
  await bridgeTables(schema);
  await bridgePartTables(schema);
}

async function issueSyncTables({ table }: SchemaTools): Promise<void> {
  await table(
    "issue_sync_binding",
    `project_uid text not null, provider text not null, source_key text not null, remote_id text not null,
     display_name text not null, config text not null, enabled int not null, interval_seconds int not null,
     last_cursor_at text, created_at text not null, updated_at text not null`,
    "primary key (project_uid)",
  );
  await table(
    "issue_sync_status",
    `project_uid text not null, sync_started_at text, last_attempt_at text, last_success_at text,
     last_error_at text, last_error text, last_created int not null, last_updated int not null,
     last_unchanged int not null, last_comments int not null`,
    "primary key (project_uid)",
  );
}

const ACTIVE = "active = 1";

async function bridgeTables({ table, index }: SchemaTools): Promise<void> {
  await table(
    "external_root",
    "issue_uid text not null, binding_uid text not null, connector_instance text not null, enabled int not null",
    "primary key (issue_uid)",
  );
  await table(
    "external_root_binding",
    `id int primary key, uid text not null unique, issue_uid text not null, connector_instance text not null,
     external_root_key text not null, external_account_digest text not null, active int not null, enabled int not null,
     receive_comments int not null, publish_comments int not null, complete_external int not null,
     claim_token text, claim_started_at text, last_external_revision text, last_external_digest text,
     last_external_state text, last_external_updated_at text, last_attempt_at text, last_success_at text,
     last_error text, last_error_at text, consecutive_failures int not null, next_attempt_at text,
     paused_reason text, pending_comment_uid text, pending_comment_started_at text, requested_state text,
     requested_revision text, created_at text not null, updated_at text not null, unbound_at text`,
  );
  await index("bridge_of_issue", "external_root_binding", "issue_uid", {
    ...{ unique: true, where: ACTIVE },
  });
  const root = "connector_instance, external_root_key";
  await index("bridge_of_root", "external_root_binding", root, { unique: true, where: ACTIVE });
  await index("bridge_due", "external_root_binding", "(coalesce(next_attempt_at, '')), id", {
    where: `${ACTIVE} and enabled = 1`,
  });
  await index("bridge_issue", "external_root_binding", "issue_uid, id");
  await index("bridge_root", "external_root_binding", `${root}, id`);
}

async function bridgePartTables({ table, index }: SchemaTools): Promise<void> {
  await table(
    "external_comment",
    `binding_uid text not null, issue_uid text not null, side text not null, comment_id text not null,
     state text not null, other_id text, revision text, external_updated_at text, body_digest text,
     created_at text not null, updated_at text not null`,
    "primary key (binding_uid, side, comment_id)",
  );
  await index("external_comment_issue", "external_comment", "issue_uid");
  await table(
    "external_field_mapping",
    `uid text not null, connector_instance text not null, svc_field text not null, external_field_id text not null,
     external_field_name text not null, accepted_kinds text not null, nullable int not null, writable int not null,
     schema_revision text not null, active int not null, created_at text not null, updated_at text not null`,
    "primary key (uid)",
  );
  await index("external_field_active", "external_field_mapping", "connector_instance, svc_field", {
    ...{ unique: true, where: ACTIVE },
  });
  await table(
    "external_field_state",
    `binding_uid text not null, issue_uid text not null, mapping_uid text not null, baseline text,
     conflicted int not null, conflict_local text, conflict_external text, conflict_at text,
     updated_at text not null`,
    "primary key (binding_uid, mapping_uid)",
  );
  await index("external_field_issue", "external_field_state", "issue_uid");
}
