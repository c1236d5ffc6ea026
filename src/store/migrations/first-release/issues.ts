import type { SchemaTools } from "../../upgrade/migrate.ts";

const TYPES_OF_LINKS = "type text not null check (type in ('parent', 'blocks', 'related'))";

/** Creates the tables of projects and of all that an issue has. */
export async function issueTables(schema: SchemaTools): Promise<void> {
  await projectTables(schema);
  await issueTable(schema);
  await issueIndexes(schema);
  await partsOfIssues(schema);
  await linkTables(schema);
  await foundByEvents(schema);
  await leaseTable(schema);
}

async function projectTables({ table, index }: SchemaTools): Promise<void> {
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
}

async function issueTable({ table }: SchemaTools): Promise<void> {
  await table(
    "issue",
    `id int primary key, uid text not null unique, project_uid text not null references project (uid),
     short_id text not null, title text not null, body text not null,
     status text not null check (status in ('open', 'closed')), closed_reason text,
     owner text, priority int, author text not null, metadata text not null, revision int not null,
     created_at text not null, updated_at text not null, closed_at text, deleted_at text,
     open_blockers int not null, open_children int not null, total_children int not null,
     parked int not null, held int not null, ready_from text,
     recurrence_uid text, occurrence_key text, recurrence_id int, content_revision int not null default 1`,
  );
}

const LIVE = "deleted_at is null";
const READY = `${LIVE} and status = 'open' and open_blockers = 0 and parked = 0 and held = 0`;

/**
 * Lists of issues are read from these indexes backwards, newest issue first. SQLite appends the row id to every index
 * by itself.
 */
async function issueIndexes({ dialect, index }: SchemaTools): Promise<void> {
  const id = dialect === "postgres" ? ", id" : "";
  await index("issue_short_id", "issue", "project_uid, short_id", { unique: true });
  await index("issue_list", "issue", `project_uid, status, updated_at${id}`, { where: LIVE });
  await index("issue_created", "issue", `created_at${id}`, { where: LIVE });
  await index("issue_ready", "issue", `project_uid, updated_at${id}`, { where: READY });
  await index("issue_ready_all", "issue", `updated_at${id}`, { where: READY });
  await index("issue_owner", "issue", "owner, project_uid, status", { where: LIVE });
  await index("issue_author", "issue", "author, project_uid, status", { where: LIVE });
  await index("issue_blocked", "issue", "project_uid, status", {
    where: `${LIVE} and open_blockers > 0`,
  });
  await index("issue_priority", "issue", "priority, project_uid, status", {
    where: `priority is not null and ${LIVE}`,
  });
  await index("issue_scheduled", "issue", "ready_from", { where: "ready_from is not null" });
  await index("issue_occurrence", "issue", "recurrence_uid, occurrence_key", {
    where: "recurrence_uid is not null",
  });
  const order = "(coalesce(priority, 5)), updated_at desc, id desc";
  const free = { where: `${READY} and owner is null` };
  await index("issue_take", "issue", `project_uid, ${order}`, free);
  await index("issue_take_all", "issue", order, free);
  // For lists of all projects, last changed first. `updated_at > ''` is true for every issue. SQLite uses the index only
  // for queries that repeat this condition; without it, SQLite would prefer this index to better ones.
  await index("issue_recent", "issue", "status, updated_at desc, id desc", {
    where: `${LIVE} and updated_at > ''`,
  });
  // The text of an issue may be long, so what tells whether its vectors are current is read from an index.
  await index("issue_content", "issue", "id, uid, project_uid, content_revision, deleted_at");
}

async function partsOfIssues({ table, index }: SchemaTools): Promise<void> {
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
  await index("label_name", "label", "label, issue_uid");
  await table(
    "label_count",
    "project_uid text not null, label text not null, count int not null",
    "primary key (project_uid, label)",
  );
  await table(
    "comment",
    `id int primary key, uid text not null unique, issue_uid text not null references issue (uid),
     author text not null, body text not null, created_at text not null, teammate text`,
  );
  await index("comment_issue", "comment", "issue_uid");
  await table(
    "former",
    "project_uid text not null, short_id text not null, issue_uid text not null references issue (uid)",
    "primary key (project_uid, short_id)",
  );
  await index("former_issue", "former", "issue_uid");
}

async function linkTables({ table, index }: SchemaTools): Promise<void> {
  await table(
    "link",
    `id int primary key, from_uid text not null references issue (uid), to_uid text not null references issue (uid),
     ${TYPES_OF_LINKS}, author text not null, created_at text not null`,
  );
  await index("link_from", "link", "from_uid, type, to_uid", { unique: true });
  await index("link_to", "link", "to_uid, type, from_uid", { unique: true });
  // Links that wait for an issue, or for the end of a circle of parents.
  await table(
    "waiting_link",
    `from_uid text not null, to_uid text not null, ${TYPES_OF_LINKS},
     author text not null, created_at text not null`,
    "primary key (from_uid, to_uid, type)",
  );
  await index("waiting_link_to", "waiting_link", "to_uid");
}

/** Issues by what events said of them. */
async function foundByEvents({ table, index }: SchemaTools): Promise<void> {
  await table(
    "import",
    `project_uid text not null, source text not null, external_id text not null,
     issue_uid text not null references issue (uid), imported_at text not null`,
    "primary key (project_uid, source, external_id)",
  );
  await index("import_issue", "import", "issue_uid");
  await table(
    "import_event",
    "batch_uid text not null, issue_uid text not null references issue (uid), event_id int not null, kind text not null",
    "primary key (batch_uid, issue_uid, event_id)",
  );
  await index("import_event_issue", "import_event", "issue_uid");
  await table(
    "issue_commit",
    "sha text not null, issue_uid text not null references issue (uid)",
    "primary key (sha, issue_uid)",
  );
  await index("issue_commit_issue", "issue_commit", "issue_uid");
}

async function leaseTable({ table, index }: SchemaTools): Promise<void> {
  await table(
    "lease",
    `id int primary key, issue_uid text not null unique references issue (uid), claim_uid text not null,
     fence int not null, holder text not null, holder_instance_uid text not null, client_kind text not null,
     purpose text not null, claim_kind text not null check (claim_kind in ('hard', 'timed')),
     acquired_at text not null, expires_at text, released_at text, release_reason text,
     revision int not null, updated_at text not null`,
  );
  await index("lease_live", "lease", "expires_at, issue_uid", { where: "released_at is null" });
}
