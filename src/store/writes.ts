import { sql } from "kysely";
import { canonicalJson } from "../base/json.ts";
import type {
  AliasRow,
  CommentRow,
  CronDefinitionRow,
  CronJobRow,
  CronRunRow,
  FormerRow,
  IdempotencyRow,
  ImportRow,
  IssueRow,
  LabelRow,
  LeaseRow,
  LinkRow,
  ProjectRow,
  RecurrenceRow,
} from "../domain/state.ts";
import type { Connection, Value } from "./connection.ts";
import { nextId } from "./migrate.ts";
import { type Statement, statement } from "./statement.ts";
import type { Derived } from "./types.ts";

/** The statements by which the projection writes rows. Nothing else writes them. */

type ProjectValues = Omit<ProjectRow, "metadata"> & { readonly metadata: string };
type IssueValues = Omit<IssueRow, "metadata"> & Derived & { readonly metadata: string };

/** Metadata is kept canonical, so that a row and the fold of the log say the same text. */
export function issueValues(row: IssueRow, derived: Derived): IssueValues {
  return { ...row, ...derived, metadata: canonicalJson(row.metadata) };
}

export async function insertProject(connection: Connection, row: ProjectRow): Promise<void> {
  await projectInsert.run(connection, { ...row, metadata: canonicalJson(row.metadata) });
}

const projectInsert = statement((db, p: ProjectValues) =>
  db.insertInto("project").values({
    id: nextId("project"),
    uid: p.uid,
    name: p.name,
    metadata: p.metadata,
    revision: p.revision,
    created_at: p.created_at,
    deleted_at: p.deleted_at,
    open_issues: 0,
    closed_issues: 0,
  }),
);

export async function updateProject(
  connection: Connection,
  before: ProjectRow,
  after: ProjectRow,
): Promise<void> {
  const [old, now] = [before, after].map((row) => ({
    ...row,
    metadata: canonicalJson(row.metadata),
  }));
  if (old !== undefined && now !== undefined)
    await updateDiffering(connection, "project", old, now);
}

export async function insertIssue(
  connection: Connection,
  row: IssueRow,
  derived: Derived,
): Promise<void> {
  await issueInsert.run(connection, issueValues(row, derived));
}

const issueInsert = statement((db, p: IssueValues) =>
  db.insertInto("issue").values({
    id: nextId("issue"),
    uid: p.uid,
    project_uid: p.project_uid,
    short_id: p.short_id,
    title: p.title,
    body: p.body,
    status: p.status,
    closed_reason: p.closed_reason,
    owner: p.owner,
    priority: p.priority,
    author: p.author,
    metadata: p.metadata,
    revision: p.revision,
    created_at: p.created_at,
    updated_at: p.updated_at,
    closed_at: p.closed_at,
    deleted_at: p.deleted_at,
    open_blockers: p.open_blockers,
    open_children: p.open_children,
    total_children: p.total_children,
    parked: p.parked,
    held: p.held,
    ready_from: p.ready_from,
    recurrence_uid: p.recurrence_uid,
    occurrence_key: p.occurrence_key,
  }),
);

/** Gives an issue the local id of its series. */
export const linkSeries = statement((db, p: { uid: string }) =>
  db
    .updateTable("issue")
    .set({
      recurrence_id: sql<
        number | null
      >`(select recurrence.id from recurrence where recurrence.uid = issue.recurrence_uid)`,
    })
    .where("uid", "=", p.uid),
);

export async function updateIssue(
  connection: Connection,
  before: IssueValues,
  after: IssueValues,
): Promise<void> {
  await updateDiffering(connection, "issue", { ...before }, { ...after });
}

type Row = { readonly [column: string]: Value } & { readonly uid: string };

/** Sets the columns that differ and no other: an index whose columns stay is not touched. */
async function updateDiffering(
  connection: Connection,
  table: "issue" | "project",
  before: object,
  after: Row,
): Promise<void> {
  const old = before as Row;
  const columns = Object.keys(after).filter((column) => after[column] !== old[column]);
  if (columns.length > 0) await updateOf(table, columns).run(connection, after);
}

const updates = new Map<string, Statement<Row, never>>();

function updateOf(table: "issue" | "project", columns: readonly string[]): Statement<Row, never> {
  const key = `${table} ${columns.join(" ")}`;
  let found = updates.get(key);
  if (found === undefined) {
    found = statement<Row, never>((db, p) => {
      const query = db
        .updateTable(table)
        .set(Object.fromEntries(columns.map((column) => [column, p[column]])));
      return query.where("uid", "=", p.uid) as never;
    });
    updates.set(key, found);
  }
  return found;
}

/** Counts of live issues by status. */
export const addToProject = statement((db, p: { uid: string; open: number; closed: number }) =>
  db
    .updateTable("project")
    .set(({ eb }) => ({
      open_issues: eb("open_issues", "+", p.open),
      closed_issues: eb("closed_issues", "+", p.closed),
    }))
    .where("uid", "=", p.uid),
);

export const addToLabel = statement(
  (db, p: { project_uid: string; label: string; count: number }) =>
    db
      .insertInto("label_count")
      .values({ project_uid: p.project_uid, label: p.label, count: p.count })
      .onConflict((conflict) =>
        conflict
          .columns(["project_uid", "label"])
          .doUpdateSet({ count: sql`label_count.count + excluded.count` }),
      ),
);

export const putAlias = statement((db, p: AliasRow) =>
  db
    .insertInto("alias")
    .values({
      id: nextId("alias"),
      alias_identity: p.alias_identity,
      alias_kind: p.alias_kind,
      project_uid: p.project_uid,
      created_at: p.created_at,
    })
    .onConflict((conflict) =>
      conflict.column("alias_identity").doUpdateSet({
        alias_kind: p.alias_kind,
        project_uid: p.project_uid,
        created_at: p.created_at,
      }),
    ),
);

export const removeAlias = statement((db, p: Pick<AliasRow, "alias_identity">) =>
  db.deleteFrom("alias").where("alias_identity", "=", p.alias_identity),
);

export const putLabel = statement((db, p: LabelRow) =>
  db
    .insertInto("label")
    .values({ issue_uid: p.issue_uid, label: p.label, author: p.author, created_at: p.created_at })
    .onConflict((conflict) =>
      conflict
        .columns(["issue_uid", "label"])
        .doUpdateSet({ author: p.author, created_at: p.created_at }),
    ),
);

export const removeLabel = statement((db, p: Pick<LabelRow, "issue_uid" | "label">) =>
  db.deleteFrom("label").where("issue_uid", "=", p.issue_uid).where("label", "=", p.label),
);

export const insertLink = statement((db, p: LinkRow) =>
  db.insertInto("link").values({
    id: nextId("link"),
    from_uid: p.from_uid,
    to_uid: p.to_uid,
    type: p.type,
    author: p.author,
    created_at: p.created_at,
  }),
);

export const updateLink = statement((db, p: LinkRow) =>
  db
    .updateTable("link")
    .set({ author: p.author, created_at: p.created_at })
    .where("from_uid", "=", p.from_uid)
    .where("type", "=", p.type)
    .where("to_uid", "=", p.to_uid),
);

export const removeLink = statement((db, p: Pick<LinkRow, "from_uid" | "to_uid" | "type">) =>
  db
    .deleteFrom("link")
    .where("from_uid", "=", p.from_uid)
    .where("type", "=", p.type)
    .where("to_uid", "=", p.to_uid),
);

export const putComment = statement((db, p: CommentRow) =>
  db
    .insertInto("comment")
    .values({
      id: nextId("comment"),
      uid: p.uid,
      issue_uid: p.issue_uid,
      author: p.author,
      body: p.body,
      created_at: p.created_at,
      teammate: p.teammate,
    })
    .onConflict((conflict) =>
      conflict.column("uid").doUpdateSet({ author: p.author, body: p.body }),
    ),
);

export const removeComment = statement((db, p: Pick<CommentRow, "uid">) =>
  db.deleteFrom("comment").where("uid", "=", p.uid),
);

export const putIdempotency = statement((db, p: IdempotencyRow) =>
  db
    .insertInto("idempotency")
    .values({
      scope_uid: p.scope_uid,
      operation: p.operation,
      key: p.key,
      fingerprint: p.fingerprint,
      event_uid: p.event_uid,
      created_at: p.created_at,
    })
    .onConflict((conflict) =>
      conflict.columns(["scope_uid", "operation", "key"]).doUpdateSet({
        fingerprint: p.fingerprint,
        event_uid: p.event_uid,
        created_at: p.created_at,
      }),
    ),
);

export const removeIdempotency = statement(
  (db, p: Pick<IdempotencyRow, "scope_uid" | "operation" | "key">) =>
    db
      .deleteFrom("idempotency")
      .where("scope_uid", "=", p.scope_uid)
      .where("operation", "=", p.operation)
      .where("key", "=", p.key),
);

export const putImport = statement((db, p: ImportRow) =>
  db
    .insertInto("import")
    .values({
      project_uid: p.project_uid,
      source: p.source,
      external_id: p.external_id,
      issue_uid: p.issue_uid,
      imported_at: p.imported_at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["project_uid", "source", "external_id"])
        .doUpdateSet({ issue_uid: p.issue_uid, imported_at: p.imported_at }),
    ),
);

export const removeImport = statement(
  (db, p: Pick<ImportRow, "project_uid" | "source" | "external_id">) =>
    db
      .deleteFrom("import")
      .where("project_uid", "=", p.project_uid)
      .where("source", "=", p.source)
      .where("external_id", "=", p.external_id),
);

export const putFormer = statement((db, p: FormerRow) =>
  db
    .insertInto("former")
    .values({ project_uid: p.project_uid, short_id: p.short_id, issue_uid: p.issue_uid })
    .onConflict((conflict) =>
      conflict.columns(["project_uid", "short_id"]).doUpdateSet({ issue_uid: p.issue_uid }),
    ),
);

export const removeFormer = statement((db, p: Pick<FormerRow, "project_uid" | "short_id">) =>
  db
    .deleteFrom("former")
    .where("project_uid", "=", p.project_uid)
    .where("short_id", "=", p.short_id),
);

export const removeLabelCounts = statement((db, p: Pick<ProjectRow, "uid">) =>
  db.deleteFrom("label_count").where("project_uid", "=", p.uid),
);

export const removeProject = statement((db, p: Pick<ProjectRow, "uid">) =>
  db.deleteFrom("project").where("uid", "=", p.uid),
);

export async function putLease(connection: Connection, row: LeaseRow): Promise<void> {
  if ((await updateLease.run(connection, row)) === 0) await insertLease.run(connection, row);
}

const insertLease = statement((db, p: LeaseRow) =>
  db.insertInto("lease").values({
    id: nextId("lease"),
    issue_uid: p.issue_uid,
    ...leaseValues(p),
  }),
);

const updateLease = statement((db, p: LeaseRow) =>
  db.updateTable("lease").set(leaseValues(p)).where("issue_uid", "=", p.issue_uid),
);

function leaseValues(p: LeaseRow) {
  return {
    claim_uid: p.claim_uid,
    fence: p.fence,
    holder: p.holder,
    holder_instance_uid: p.holder_instance_uid,
    client_kind: p.client_kind,
    purpose: p.purpose,
    claim_kind: p.claim_kind,
    acquired_at: p.acquired_at,
    expires_at: p.expires_at,
    released_at: p.released_at,
    release_reason: p.release_reason,
    revision: p.revision,
    updated_at: p.updated_at,
  };
}

/** A template as its table holds it. */
export function templateTexts({ template_labels, template_metadata }: RecurrenceRow) {
  return {
    template_labels: canonicalJson(template_labels),
    template_metadata: canonicalJson(template_metadata),
  };
}

export async function putRecurrence(connection: Connection, row: RecurrenceRow): Promise<void> {
  const values = { ...row, ...templateTexts(row) };
  if ((await updateRecurrence.run(connection, values)) === 0)
    await insertRecurrence.run(connection, values);
}

type RecurrenceValues = Omit<RecurrenceRow, "template_labels" | "template_metadata"> &
  ReturnType<typeof templateTexts>;

const insertRecurrence = statement((db, p: RecurrenceValues) =>
  db.insertInto("recurrence").values({
    id: nextId("recurrence"),
    uid: p.uid,
    author: p.author,
    created_at: p.created_at,
    ...recurrenceValues(p),
  }),
);

const updateRecurrence = statement((db, p: RecurrenceValues) =>
  db.updateTable("recurrence").set(recurrenceValues(p)).where("uid", "=", p.uid),
);

function recurrenceValues(p: RecurrenceValues) {
  return {
    project_uid: p.project_uid,
    rrule: p.rrule,
    dtstart: p.dtstart,
    timezone: p.timezone,
    template_title: p.template_title,
    template_body: p.template_body,
    template_owner: p.template_owner,
    template_priority: p.template_priority,
    template_labels: p.template_labels,
    template_metadata: p.template_metadata,
    next_occurrence_key: p.next_occurrence_key,
    last_materialized_uid: p.last_materialized_uid,
    revision: p.revision,
    updated_at: p.updated_at,
    deleted_at: p.deleted_at,
  };
}

/** Documents as their tables hold them. */
export function cronTexts({ definition, definition_hlc }: CronDefinitionRow) {
  return {
    definition: canonicalJson(definition),
    definition_hlc: canonicalJson(definition_hlc),
  };
}

export async function putCronJob(connection: Connection, row: CronJobRow): Promise<void> {
  const values = { ...row, ...cronTexts(row) };
  if ((await updateCronJob.run(connection, values)) === 0)
    await insertCronJob.run(connection, values);
}

export async function putCronWorkflow(
  connection: Connection,
  row: CronDefinitionRow,
): Promise<void> {
  const values = { ...row, ...cronTexts(row) };
  if ((await updateCronWorkflow.run(connection, values)) === 0)
    await insertCronWorkflow.run(connection, values);
}

type CronValues<T extends CronDefinitionRow> = Omit<T, "definition" | "definition_hlc"> &
  ReturnType<typeof cronTexts>;

const insertCronJob = statement((db, p: CronValues<CronJobRow>) =>
  db.insertInto("cron_jobs").values({
    id: nextId("cron_jobs"),
    ...cronValues(p),
    parent_uid: p.parent_uid,
  }),
);

const updateCronJob = statement((db, p: CronValues<CronJobRow>) =>
  db
    .updateTable("cron_jobs")
    .set({ ...cronValues(p), parent_uid: p.parent_uid })
    .where("uid", "=", p.uid),
);

const insertCronWorkflow = statement((db, p: CronValues<CronDefinitionRow>) =>
  db.insertInto("cron_workflows").values({ id: nextId("cron_workflows"), ...cronValues(p) }),
);

const updateCronWorkflow = statement((db, p: CronValues<CronDefinitionRow>) =>
  db.updateTable("cron_workflows").set(cronValues(p)).where("uid", "=", p.uid),
);

function cronValues(p: CronValues<CronDefinitionRow>) {
  return {
    uid: p.uid,
    project_uid: p.project_uid,
    name: p.name,
    definition: p.definition,
    definition_event_uid: p.definition_event_uid,
    definition_hlc: p.definition_hlc,
    author: p.author,
    revision: p.revision,
    created_at: p.created_at,
    updated_at: p.updated_at,
    deleted_at: p.deleted_at,
  };
}

export async function putCronRun(connection: Connection, row: CronRunRow): Promise<void> {
  const values = { ...row, summary: canonicalJson(row.summary) };
  if ((await updateCronRun.run(connection, values)) === 0)
    await insertCronRun.run(connection, values);
}

type RunValues = Omit<CronRunRow, "summary"> & { readonly summary: string };

const insertCronRun = statement((db, p: RunValues) =>
  db.insertInto("cron_runs").values({ id: nextId("cron_runs"), ...runValues(p) }),
);

const updateCronRun = statement((db, p: RunValues) =>
  db.updateTable("cron_runs").set(runValues(p)).where("uid", "=", p.uid),
);

function runValues(p: RunValues) {
  return {
    uid: p.uid,
    project_uid: p.project_uid,
    job_uid: p.job_uid,
    definition_event_uid: p.definition_event_uid,
    workflow_uid: p.workflow_uid,
    workflow_definition_event_uid: p.workflow_definition_event_uid,
    occurrence_key: p.occurrence_key,
    issue_uid: p.issue_uid,
    actor: p.actor,
    teammate: p.teammate,
    executor_label: p.executor_label,
    status: p.status,
    summary: p.summary,
    revision: p.revision,
    created_at: p.created_at,
    started_at: p.started_at,
    ended_at: p.ended_at,
    updated_at: p.updated_at,
    input_tokens: p.input_tokens,
    output_tokens: p.output_tokens,
    duration_ms: p.duration_ms,
    day: p.day,
  };
}

export const putMeta = statement(
  (db, p: { issue_uid: string; key: string; value: string | null }) =>
    db
      .insertInto("issue_meta")
      .values({ issue_uid: p.issue_uid, key: p.key, value: p.value })
      .onConflict((conflict) =>
        conflict.columns(["issue_uid", "key"]).doUpdateSet({ value: p.value }),
      ),
);

export const removeMeta = statement((db, p: { issue_uid: string; key: string }) =>
  db.deleteFrom("issue_meta").where("issue_uid", "=", p.issue_uid).where("key", "=", p.key),
);
