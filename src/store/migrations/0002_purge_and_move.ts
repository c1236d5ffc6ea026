import type { Migration, SchemaTools } from "../upgrade/migrate.ts";

export const purgeAndMove: Migration = {
  version: 2,
  up: async (schema) => {
    await purgeTables(schema);
    await formerIdTables(schema);
    await addFeedColumn(schema);
  },
};

const ENVELOPE = `id int primary key, uid text not null unique, origin_instance_uid text not null,
  project_id int not null, project_uid text not null, project_name text not null,
  event_count int not null, events_deleted_min_id int, events_deleted_max_id int,
  purge_reset_after_event_id int not null, comment_count int not null, link_count int not null,
  label_count int not null, actor text not null, reason text, purged_at text not null, spent_ids text not null`;

async function purgeTables({ table, index }: SchemaTools): Promise<void> {
  await table(
    "purge_log",
    `${ENVELOPE}, purged_issue_id int not null, issue_uid text not null, short_id text not null,
     issue_title text not null, issue_author text not null`,
  );
  await index("purge_log_project", "purge_log", "project_uid");
  await table(
    "project_purge_log",
    `${ENVELOPE}, issue_count int not null, alias_count int not null, claim_count int not null,
     pending_claim_request_count int not null`,
  );
}

async function formerIdTables({ table, index }: SchemaTools): Promise<void> {
  await table(
    "former",
    "project_uid text not null, short_id text not null, issue_uid text not null references issue (uid)",
    "primary key (project_uid, short_id)",
  );
  await index("former_issue", "former", "issue_uid");
  await table(
    "spent_id",
    "project_uid text not null, short_id text not null",
    "primary key (project_uid, short_id)",
  );
  await table("spent_project", "id int primary key");
}

/** The hash of an event covers `project_uid`. So a merge leaves `project_uid` unchanged and sets `feed_uid` instead. */
async function addFeedColumn({ dialect, index, run }: SchemaTools): Promise<void> {
  const type = dialect === "sqlite" ? "text" : 'text collate "C"';
  await run(`alter table event add column feed_uid ${type} not null default ''`);
  await run("update event set feed_uid = project_uid");
  await run("drop index event_project");
  await index("event_feed", "event", "feed_uid, id");
  await index("event_issue", "event", "issue_uid, id", { where: "issue_uid is not null" });
}
