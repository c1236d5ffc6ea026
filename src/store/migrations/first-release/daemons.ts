import type { SchemaTools } from "../../upgrade/migrate.ts";

/** Creates the tables of who may ask, and of what daemons keep for themselves. */
export async function daemonTables({ table, index }: SchemaTools): Promise<void> {
  await table(
    "api_token",
    `id int primary key, uid text not null unique, actor text not null, name text, token_hash text not null,
     created_at text not null, revoked_at text`,
  );
  await index("api_token_hash", "api_token", "token_hash", { unique: true });
  await table(
    "api_token_use",
    "token_uid text not null references api_token (uid), last_used_at text not null",
    "primary key (token_uid)",
  );
  // On PostgreSQL: which daemon runs which engine, and the last commit of each daemon. On SQLite both stay empty.
  await table(
    "election",
    `name text not null, holder text not null, term int not null, since text not null, until text not null,
     taken_from text`,
    "primary key (name)",
  );
  await table(
    "daemon_commit",
    "daemon text not null, number int not null, at text not null",
    "primary key (daemon)",
  );
  // What svc doctor has verified, so that the next run compares digests instead of folding again.
  await table(
    "doctor_checkpoint",
    "subject text not null, digest text not null, event_id int not null",
    "primary key (subject)",
  );
}
