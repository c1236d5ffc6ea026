import { NO_CHAIN } from "../../log/chain.ts";
import type { SchemaTools } from "../../upgrade/migrate.ts";

/**
 * Creates the tables of the log, those that find events in it, and those of what was removed from it.
 *
 * The hash of an event covers `project_uid`, so a merge of projects leaves it unchanged and sets `feed_uid` instead.
 */
export async function logTables(schema: SchemaTools): Promise<void> {
  const { table, run } = schema;
  await table("meta", "key text not null, value text not null", "primary key (key)");
  await table(
    "log_head",
    `one int primary key check (one = 1), last_event_id int not null,
     hlc_physical_ms int not null, hlc_counter int not null,
     chain text not null default '${NO_CHAIN}', epoch text not null default ''`,
  );
  await run(
    "insert into log_head (one, last_event_id, hlc_physical_ms, hlc_counter) values (1, 0, 0, 0)",
  );
  await table(
    "event",
    `id int primary key, uid text not null unique, origin_instance_uid text not null, project_uid text not null,
     issue_uid text, related_issue_uid text, type text not null, actor text not null, payload text not null,
     hlc_physical_ms int not null, hlc_counter int not null, content_hash text not null, created_at text not null,
     feed_uid text not null default '', chain text not null default '', assigned_ids text, hub_event_id int,
     local_actor text, skipped_at text`,
  );
  await eventIndexes(schema);
  await foundInLog(schema);
  await removedFromLog(schema);
}

async function eventIndexes({ index }: SchemaTools): Promise<void> {
  await index("event_feed", "event", "feed_uid, id");
  await index("event_issue", "event", "issue_uid, id", { where: "issue_uid is not null" });
  await index("event_time", "event", "created_at, id");
  // SQLite uses a partial index only for a query that repeats the index's condition.
  await index("event_closed", "event", "feed_uid, type, id", { where: "type = 'issue.closed'" });
  await index("event_throttled", "event", "feed_uid, type, id", {
    where: "type = 'close.throttled'",
  });
  await index("event_related", "event", "related_issue_uid, id", {
    where: "related_issue_uid is not null",
  });
  await index("event_type", "event", "type, id");
  await index("event_actor", "event", "actor, id");
  await index("event_actor_time", "event", "actor, created_at, id");
  await index("event_baseline", "event", "project_uid, id", {
    where: "type = 'project.federation_enabled'",
  });
  // The few events whose issues have short ids other than those in the payloads.
  await index("event_assigned", "event", "origin_instance_uid, id", {
    where: "assigned_ids is not null",
  });
  await index("event_local_actor_time", "event", "local_actor, created_at, id", {
    where: "local_actor is not null",
  });
  // Only events of copies have an id on a hub.
  await index("event_hub", "event", "feed_uid, hub_event_id", {
    where: "hub_event_id is not null",
  });
  await index("event_bridge", "event", "feed_uid, type", {
    where: "type >= 'issue.external_' and type < 'issue.external~'",
  });
}

/** The tables that are computed from the log. Events may name issues that are missing. */
async function foundInLog({ table, index }: SchemaTools): Promise<void> {
  await table(
    "event_mention",
    "issue_uid text not null, event_id int not null",
    "primary key (issue_uid, event_id)",
  );
  await index("event_mention_event", "event_mention", "event_id");
  await table(
    "cron_event",
    "row_uid text not null, event_id int not null",
    "primary key (row_uid, event_id)",
  );
  await table(
    "project_clock",
    "project_uid text not null, hlc_physical_ms int not null, hlc_counter int not null",
    "primary key (project_uid)",
  );
  await table(
    "idempotency",
    `scope_uid text not null, operation text not null, key text not null,
     origin_instance_uid text not null, fingerprint text not null, event_uid text not null,
     created_at text not null`,
    "primary key (scope_uid, operation, key, origin_instance_uid)",
  );
  // Finds the key of a request to take an issue, whichever issue was taken.
  await index("idempotency_take", "idempotency", "key, created_at, event_uid", {
    where: "operation = 'take'",
  });
}

const PURGE = `id int primary key, uid text not null unique, origin_instance_uid text not null,
  project_id int not null, project_uid text not null, project_name text not null,
  event_count int not null, events_deleted_min_id int, events_deleted_max_id int,
  purge_reset_after_event_id int not null, comment_count int not null, link_count int not null,
  label_count int not null, actor text not null, reason text, purged_at text not null, spent_ids text not null`;

async function removedFromLog({ table, index }: SchemaTools): Promise<void> {
  await table(
    "log_gap",
    "before_id int not null, before_chain text not null, last_id int not null, last_chain text not null",
    "primary key (before_id)",
  );
  await table(
    "purge_reset",
    "project_uid text not null, after_event_id int not null",
    "primary key (project_uid)",
  );
  await table(
    "purge_log",
    `${PURGE}, purged_issue_id int not null, issue_uid text not null, short_id text not null,
     issue_title text not null, issue_author text not null`,
  );
  await index("purge_log_project", "purge_log", "project_uid");
  await index("purge_log_issue", "purge_log", "issue_uid");
  await table(
    "project_purge_log",
    `${PURGE}, issue_count int not null, alias_count int not null, claim_count int not null,
     pending_claim_request_count int not null, issue_uids text not null default ''`,
  );
  await table("purged_issue", "issue_uid text not null", "primary key (issue_uid)");
  await table(
    "spent_id",
    "project_uid text not null, short_id text not null",
    "primary key (project_uid, short_id)",
  );
  await table("spent_project", "id int primary key");
}
