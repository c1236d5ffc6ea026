import type { Migration } from "../upgrade/migrate.ts";

/** Adds the bindings of projects to repositories of a code host, and how their runs went. */
export const issueSync: Migration = {
  version: 48,
  up: async ({ table }) => {
    await table(
      "issue_sync_binding",
      "project_uid text not null, provider text not null, source_key text not null, remote_id text not null, display_name text not null, config text not null, enabled int not null, interval_seconds int not null, last_cursor_at text, created_at text not null, updated_at text not null",
      "primary key (project_uid)",
    );
    await table(
      "issue_sync_status",
      "project_uid text not null, sync_started_at text, last_attempt_at text, last_success_at text, last_error_at text, last_error text, last_created int not null, last_updated int not null, last_unchanged int not null, last_comments int not null",
      "primary key (project_uid)",
    );
  },
};
