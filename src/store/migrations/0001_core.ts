import type { Migration, SchemaTools } from "../upgrade/migrate.ts";

export const core: Migration = {
  version: 1,
  up: async (schema) => {
    await ownTables(schema);
    await foldedTables(schema);
    await logTables(schema);
    await issueIndexes(schema);
    await text(schema);
  },
};

async function ownTables({ table, run }: SchemaTools): Promise<void> {
  await table("meta", "key text not null, value text not null", "primary key (key)");
  await table(
    "log_head",
    `one int primary key check (one = 1), last_event_id int not null,
     hlc_physical_ms int not null, hlc_counter int not null`,
  );
  await run(
    "insert into log_head (one, last_event_id, hlc_physical_ms, hlc_counter) values (1, 0, 0, 0)",
  );
  await table(
    "purge_reset",
    "project_uid text not null, after_event_id int not null",
    "primary key (project_uid)",
  );
}

async function foldedTables({ table, index }: SchemaTools): Promise<void> {
  await table(
    "project",
    `id int primary key, uid text not null unique, name text not null unique, metadata text not null,
     revision int not null, created_at text not null, deleted_at text,
     open_issues int not null, closed_issues int not null`,
  );
  await table(
    "alias",
    `id int primary key, alias_identity text not null unique, alias_kind text not null,
     project_uid text not null references project (uid), created_at text not null`,
  );
  await index("alias_project", "alias", "project_uid");
  await table(
    "issue",
    `id int primary key, uid text not null unique, project_uid text not null references project (uid),
     short_id text not null, title text not null, body text not null,
     status text not null check (status in ('open', 'closed')), closed_reason text,
     owner text, priority int, author text not null, metadata text not null, revision int not null,
     created_at text not null, updated_at text not null, closed_at text, deleted_at text,
     open_blockers int not null, open_children int not null, total_children int not null,
     parked int not null, held int not null, ready_from text`,
  );
  await table(
    "issue_meta",
    "issue_uid text not null references issue (uid), key text not null, value text",
    "primary key (issue_uid, key)",
  );
  await index("issue_meta_key", "issue_meta", "key, value, issue_uid");
  await table(
    "label",
    "issue_uid text not null references issue (uid), label text not null, author text not null, created_at text not null",
    "primary key (issue_uid, label)",
  );
  await table(
    "label_count",
    "project_uid text not null, label text not null, count int not null",
    "primary key (project_uid, label)",
  );
  await index("label_name", "label", "label, issue_uid");
  await table(
    "link",
    `id int primary key, from_uid text not null references issue (uid), to_uid text not null references issue (uid),
     type text not null check (type in ('parent', 'blocks', 'related')), author text not null, created_at text not null`,
  );
  await index("link_from", "link", "from_uid, type, to_uid", { unique: true });
  await index("link_to", "link", "to_uid, type, from_uid", { unique: true });
  await table(
    "comment",
    `id int primary key, uid text not null unique, issue_uid text not null references issue (uid),
     author text not null, body text not null, created_at text not null, teammate text`,
  );
  await index("comment_issue", "comment", "issue_uid");
  await table(
    "idempotency",
    `scope_uid text not null, operation text not null, key text not null, fingerprint text not null,
     event_uid text not null, created_at text not null`,
    "primary key (scope_uid, operation, key)",
  );
  await table(
    "import",
    `project_uid text not null, source text not null, external_id text not null,
     issue_uid text not null references issue (uid), imported_at text not null`,
    "primary key (project_uid, source, external_id)",
  );
}

async function logTables({ table, index }: SchemaTools): Promise<void> {
  await table(
    "event",
    `id int primary key, uid text not null unique, origin_instance_uid text not null, project_uid text not null,
     issue_uid text, related_issue_uid text, type text not null, actor text not null, payload text not null,
     hlc_physical_ms int not null, hlc_counter int not null, content_hash text not null, created_at text not null`,
  );
  await index("event_project", "event", "project_uid, id");
}

/**
 * Lists of issues are read from these indexes backwards, newest issue first. SQLite appends the row id to every index
 * by itself.
 */
async function issueIndexes({ dialect, index }: SchemaTools): Promise<void> {
  const id = dialect === "postgres" ? ", id" : "";
  const live = "deleted_at is null";
  const ready = `${live} and status = 'open' and open_blockers = 0 and parked = 0 and held = 0`;
  await index("issue_short_id", "issue", "project_uid, short_id", { unique: true });
  await index("issue_list", "issue", `project_uid, status, updated_at${id}`, { where: live });
  await index("issue_created", "issue", `created_at${id}`, { where: live });
  await index("issue_ready", "issue", `project_uid, updated_at${id}`, { where: ready });
  await index("issue_ready_all", "issue", `updated_at${id}`, { where: ready });
  await index("issue_owner", "issue", "owner, project_uid, status", { where: live });
  await index("issue_priority", "issue", "priority, project_uid, status", {
    where: `priority is not null and ${live}`,
  });
  await index("issue_scheduled", "issue", "ready_from", { where: "ready_from is not null" });
}

/**
 * `scope` contains the project's id as a word, so that a search reads only issues of that project. SQLite stores no
 * second copy of the texts; PostgreSQL stores one vector per issue, which svc builds (`text/vector.ts`).
 */
async function text({ dialect, run }: SchemaTools): Promise<void> {
  if (dialect === "sqlite") {
    await run(
      `create virtual table issue_text using fts5(scope, title, body, comments,
         content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2')`,
    );
    return;
  }
  await run("create table issue_text (issue_id bigint primary key, words tsvector not null)");
  await run(
    "create index issue_text_words on issue_text using gin (words) with (fastupdate = off)",
  );
}
