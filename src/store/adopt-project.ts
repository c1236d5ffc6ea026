import { sql } from "kysely";
import { msToInstant } from "../base/clock.ts";
import { invariant } from "../base/invariant.ts";
import { canonicalJson, type JsonObject } from "../base/json.ts";
import type { Act } from "../domain/drafts/draft.ts";
import { linksChanged } from "../domain/drafts/links.ts";
import { aliasAdded, projectCreated, projectMetadataUpdated } from "../domain/drafts/projects.ts";
import type { Rows } from "../domain/tables/tables.ts";
import { type Appending, append, eventInsertion, nextHead } from "./append.ts";
import { eventRow } from "./append-baseline.ts";
import { rowsOf } from "./connection.ts";
import { applyEvent } from "./fold/apply-event.ts";
import { dropEvents } from "./purge/drop-events.ts";
import { reserveResetId } from "./purge/purge.ts";
import { projects } from "./repos/projects.ts";
import { eventOf } from "./rows/rows.ts";
import { sqlStatement } from "./rows/statement.ts";
import type { Selected } from "./schema.ts";
import type { StoredProject } from "./types/rows.ts";
import type { Adopted, Baseline } from "./types/store.ts";

/** Tables whose rows of the project stay, under its new uid. */
export const KEPT_IN_ADOPTION = [
  "issue",
  "import",
  "label_count",
  "purge_log",
  "spent_id",
] as const;
/** Tables whose rows of the project are deleted, because the events that made these rows are deleted. */
export const CLEARED_IN_ADOPTION = [
  ...(["recurrence", "alias", "purge_reset", "project_clock"] as const),
  // The caller writes these anew.
  ...(["cron_jobs", "cron_workflows", "cron_runs"] as const),
] as const;
/** Tables whose rows of the project's issues are deleted. */
export const CLEARED_OF_ISSUES = ["lease", "issue_commit"] as const;

/** Columns of a project that are not folded from events: its number here, and the counts of its issues. */
type LocalColumns = Pick<Selected<"project">, "id" | "open_issues" | "closed_issues">;

/**
 * Turns a project into the beginning of a copy (facts federation 4, "Adoption"): it gets the uid of its hub's project, and
 * its events are deleted. Its issues stay as they are; the caller writes a snapshot of each, which the hub gets, with
 * `appendSnapshots`. Former short ids are used up, leases end, and readers must start again.
 */
export async function beginAdoption(
  to: Appending,
  { project, uid, actor }: Adopted,
  nowMs: number,
): Promise<Baseline> {
  const { connection } = to;
  const old = project.uid;
  const aliases = await projects(connection).aliases(old);
  const links = await linksFromOthers.all(connection, { project_uid: old });
  await dropEvents(connection, sql`where feed_uid = ${old}`);
  await clearRows(to, old);
  await rowsOf(
    connection,
    sql`update issue set recurrence_uid = null, occurrence_key = null
      where project_uid = ${old} and recurrence_uid is not null`,
  );
  const act = { actor, now: msToInstant(nowMs) };
  await moveRows(to, { project, uid, actor }, nowMs);
  for (const alias of aliases) await append(to, aliasAdded(uid, alias, act), nowMs);
  for (const link of links) await append(to, linkOf(link, act), nowMs);
  await reserveResetId(to, [old, uid]);
  const baseline = atOneClock(to, uid, actor, nowMs);
  await appendMetadata(to, baseline, project);
  return baseline;
}

async function clearRows({ connection }: Appending, old: string): Promise<void> {
  const issues = sql`(select uid from issue where project_uid = ${old})`;
  await rowsOf(
    connection,
    sql`insert into spent_id (project_uid, short_id)
      select project_uid, short_id from former where project_uid = ${old}
      on conflict do nothing`,
  );
  await rowsOf(
    connection,
    sql`delete from former where project_uid = ${old} or issue_uid in ${issues}`,
  );
  for (const table of CLEARED_OF_ISSUES)
    await rowsOf(connection, sql`delete from ${sql.table(table)} where issue_uid in ${issues}`);
  for (const table of CLEARED_IN_ADOPTION)
    await rowsOf(connection, sql`delete from ${sql.table(table)} where project_uid = ${old}`);
}

type LinkFromOther = Rows["link"] & { readonly project_uid: string };

/**
 * The links from issues of other projects to those of the project. From now on they belong to the other projects, whose
 * events may not say them yet (`domain/federation/link-owners.ts`).
 */
const linksFromOthers = sqlStatement<{ readonly project_uid: string }, LinkFromOther>(
  (p) => sql`select l.from_uid, l.to_uid, l.type, l.author, l.created_at, other.project_uid
    from issue as own
      join link as l on l.to_uid = own.uid
      join issue as other on other.uid = l.from_uid
    where own.project_uid = ${p.project_uid} and other.project_uid <> ${p.project_uid}
    order by l.from_uid, l.to_uid, l.type`,
);

function linkOf(
  { from_uid, to_uid, type, author, created_at, project_uid }: LinkFromOther,
  act: Act,
) {
  const added =
    type === "parent" ? { parent_set_uid: to_uid } : { [`${type}_added_uids`]: [to_uid] };
  return linksChanged({ uid: from_uid, project_uid }, { author, created_at, ...added }, act);
}

/** Creates the project with its new uid, and gives it the rows and the local columns of the old one. */
async function moveRows(
  to: Appending,
  { project, uid, actor }: Adopted,
  nowMs: number,
): Promise<void> {
  const { connection } = to;
  const old = project.uid;
  const [local] = await rowsOf<LocalColumns>(
    connection,
    sql`update project set metadata = '{}', revision = 1,
      name = case when uid = ${uid} then name else uid end
      where uid = ${old} returning id, open_issues, closed_issues`,
  );
  invariant(local !== undefined, "a project that is adopted exists");
  to.loaded.clear();
  await append(to, projectCreated(uid, project.name, { actor, now: msToInstant(nowMs) }), nowMs);
  if (uid !== old) {
    for (const table of KEPT_IN_ADOPTION)
      await rowsOf(
        connection,
        sql`update ${sql.table(table)} set project_uid = ${uid} where project_uid = ${old}`,
      );
    await rowsOf(connection, sql`delete from project where uid = ${old}`);
  }
  await rowsOf(
    connection,
    sql`update project set id = ${local.id}, open_issues = ${local.open_issues},
      closed_issues = ${local.closed_issues} where uid = ${uid}`,
  );
  to.loaded.clear();
}

/** What the events that the hub gets have in common: one clock, later than that of all events before them. */
function atOneClock(to: Appending, project_uid: string, actor: string, nowMs: number): Baseline {
  const clock = nextHead(to.head, nowMs);
  to.head = { ...clock, last_event_id: to.head.last_event_id };
  return {
    ...{ project_uid, actor, created_at: msToInstant(nowMs), horizon: clock.last_event_id },
    ...{ hlc_physical_ms: clock.hlc_physical_ms, hlc_counter: clock.hlc_counter },
  };
}

/** Says the metadata of the project, if it has any. */
async function appendMetadata(
  to: Appending,
  baseline: Baseline,
  { metadata }: StoredProject,
): Promise<void> {
  const names = Object.keys(metadata);
  if (names.length === 0) return;
  const diff = Object.fromEntries(names.map((name) => [name, { to: metadata[name] ?? null }]));
  const act = { actor: baseline.actor, now: baseline.created_at };
  const { type, payload } = projectMetadataUpdated(
    { uid: baseline.project_uid, revision: 1 },
    diff,
    act,
  );
  const row = eventRow(to, baseline, {
    type,
    payload: canonicalJson(payload as unknown as JsonObject),
  });
  await eventInsertion.run(to.connection, [row]);
  await applyEvent(to, eventOf({ ...row, chain: row.chain ?? "" } as Selected<"event">));
}
