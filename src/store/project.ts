import { invariant } from "../base/invariant.ts";
import { canonicalJson } from "../base/json.ts";
import type { StoredEvent } from "../contract/events.ts";
import { evolve, touches } from "../domain/evolve/evolve.ts";
import type {
  Change,
  IssueRow,
  LabelRow,
  LinkRow,
  ProjectRow,
  RecurrenceRow,
} from "../domain/state.ts";
import { type Connection, together } from "./connection.ts";
import { writeCounts } from "./counts.ts";
import {
  derive,
  type Effect,
  type IssueEffect,
  type LabelEffect,
  type LinkEffect,
  ownDerived,
  replanIssue,
  settle,
} from "./derive.ts";
import { keyOf, type Loaded } from "./loaded.ts";
import { mergeFeeds } from "./merge-feeds.ts";
import { indexed, indexedValue } from "./meta-key.ts";
import type { Projection } from "./projection.ts";
import { statement } from "./statement.ts";
import { putCronJob, putCronRun, putCronWorkflow } from "./writes/cron.ts";
import {
  insertIssue,
  insertLink,
  issueValues,
  linkSeries,
  putComment,
  putLabel,
  putMeta,
  removeComment,
  removeLabel,
  removeLink,
  removeMeta,
  updateIssue,
  updateLink,
} from "./writes/issues.ts";
import { putLease } from "./writes/leases.ts";
import {
  insertProject,
  putAlias,
  putFormer,
  removeAlias,
  removeFormer,
  removeLabelCounts,
  removeProject,
  updateProject,
} from "./writes/projects.ts";
import { putRecurrence } from "./writes/recurrences.ts";
import { putIdempotency, putImport, removeIdempotency, removeImport } from "./writes/requests.ts";

/** Folds one event of the log into the tables: loads what it touches, lets the domain evolve it, writes what differs. */
export async function project(projection: Projection, event: StoredEvent): Promise<void> {
  const { connection, loaded } = projection;
  await loaded.load(connection, touches(event));
  const changes = evolve(loaded, event);
  if (changes.length === 0) return;
  if (event.type === "project.merged")
    await mergeFeeds(connection, event.payload.source_uid, event.project_uid);
  await applyChanges(projection, changes);
}

/** Writes what differs, and what is derived from it. */
export async function applyChanges(
  projection: Projection,
  changes: readonly Change[],
): Promise<void> {
  const effect = await gather(projection, changes);
  await derive(projection, effect);
  await writeAll(projection, effect);
  await settle(projection, effect);
}

/** Applies the changes to what is loaded and notes, per row, what it was and what it is. */
async function gather(
  { connection, loaded, timezone }: Projection,
  changes: readonly Change[],
): Promise<Effect> {
  const effect: Effect = {
    issues: new Map(),
    links: new Map(),
    labels: new Map(),
    projects: [],
    rest: [],
  };
  for (const change of changes) {
    if (change.table === "issue" && "put" in change) {
      const zone = await zoneOfSeries(connection, loaded, change.put, timezone);
      gatherIssue(loaded, effect, change.put, zone);
    } else if (change.table === "recurrence" && "put" in change)
      await gatherRecurrence(connection, loaded, effect, change.put);
    else if (change.table === "link") await gatherLink(connection, loaded, effect, change);
    else if (change.table === "label") await gatherLabel(connection, loaded, effect, change);
    else if (change.table === "project" && "put" in change)
      gatherProject(loaded, effect, change.put);
    else gatherRest(loaded, effect, change);
  }
  return effect;
}

function gatherIssue(loaded: Loaded, effect: Effect, row: IssueRow, timezone: string): void {
  const before = effect.issues.get(row.uid)?.before ?? loaded.issues.get(row.uid);
  const after = { row, derived: ownDerived(before, row, timezone) };
  effect.issues.set(row.uid, { before, after });
  loaded.issues.set(row.uid, after);
}

/** Planning dates of an issue without a zone are read in the zone of its series (facts cron-and-inbox 11). */
async function zoneOfSeries(
  connection: Connection,
  loaded: Loaded,
  { recurrence_uid }: IssueRow,
  timezone: string,
): Promise<string> {
  if (recurrence_uid === null) return timezone;
  await loaded.loadRecurrences(connection, [recurrence_uid]);
  return loaded.recurrence(recurrence_uid)?.timezone ?? timezone;
}

/** A series that changes its zone changes when its issues are ready. */
async function gatherRecurrence(
  connection: Connection,
  loaded: Loaded,
  effect: Effect,
  after: RecurrenceRow,
): Promise<void> {
  const before = loaded.recurrence(after.uid);
  gatherRest(loaded, effect, { table: "recurrence", put: after });
  if (before === undefined || before.timezone === after.timezone) return;
  const uids = (await issuesOfSeries.all(connection, { uid: after.uid })).map(({ uid }) => uid);
  await loaded.loadIssues(connection, uids);
  for (const uid of uids) replanIssue(loaded, effect, uid, after.timezone);
}

const issuesOfSeries = statement((db, p: { uid: string }) =>
  db.selectFrom("issue").select("uid").where("recurrence_uid", "=", p.uid),
);

async function gatherLink(
  connection: Connection,
  loaded: Loaded,
  effect: Effect,
  change: Extract<Change, { table: "link" }>,
): Promise<void> {
  const link = "put" in change ? change.put : change.remove;
  const key = keyOf(link.from_uid, link.type, link.to_uid);
  if (!loaded.links.has(key))
    await loaded.load(connection, { links: [[link.from_uid, link.to_uid, link.type]] });
  const known = effect.links.get(key);
  const before = known === undefined ? loaded.links.get(key) : known.before;
  const after: LinkRow | undefined = "put" in change ? change.put : undefined;
  effect.links.set(key, { ends: link, before, after });
  loaded.links.set(key, after);
  if (link.type !== "parent") return;
  if (after !== undefined) loaded.parents.set(link.from_uid, after);
  else if (loaded.parents.get(link.from_uid)?.to_uid === link.to_uid)
    loaded.parents.set(link.from_uid, undefined);
}

async function gatherLabel(
  connection: Connection,
  loaded: Loaded,
  effect: Effect,
  change: Extract<Change, { table: "label" }>,
): Promise<void> {
  const { issue_uid, label } = "put" in change ? change.put : change.remove;
  const key = keyOf(issue_uid, label);
  const isNew = effect.issues.get(issue_uid)?.before === undefined && effect.issues.has(issue_uid);
  if (!isNew && !loaded.labels.has(key)) {
    await loaded.load(connection, { labels: [[issue_uid, label]] });
  }
  const known = effect.labels.get(key);
  const before = known === undefined ? loaded.labels.get(key) : known.before;
  const after: LabelRow | undefined = "put" in change ? change.put : undefined;
  effect.labels.set(key, { issue_uid, label, before, after });
  loaded.labels.set(key, after);
}

function gatherProject(loaded: Loaded, effect: Effect, after: ProjectRow): void {
  effect.projects.push({ before: loaded.projects.get(after.uid), after });
  loaded.projects.set(after.uid, after);
}

function gatherRest(loaded: Loaded, effect: Effect, change: Change): void {
  effect.rest.push(change);
  const put = "put" in change;
  if (change.table === "comment") {
    const row = put ? change.put : undefined;
    loaded.comments.set(put ? change.put.uid : change.remove.uid, row);
  } else if (change.table === "alias") {
    loaded.aliases.set(
      put ? change.put.alias_identity : change.remove.alias_identity,
      put ? change.put : undefined,
    );
  } else if (change.table === "lease") {
    const uid = put ? change.put.issue_uid : change.remove.issue_uid;
    loaded.leases.set(uid, put ? change.put : undefined);
  } else if (change.table === "recurrence" && put) {
    loaded.recurrences.set(change.put.uid, change.put);
  } else if (change.table === "cron_jobs" && put) {
    loaded.cronJobs.set(change.put.uid, change.put);
  } else if (change.table === "cron_workflows" && put) {
    loaded.cronWorkflows.set(change.put.uid, change.put);
  } else if (change.table === "cron_runs" && put) {
    loaded.cronRuns.set(change.put.uid, change.put);
  } else if (change.table === "project" && !put) loaded.projects.set(change.remove.uid, undefined);
}

/** Rows before those that refer to them; links that go before links that come, since a child has one parent. */
async function writeAll(projection: Projection, effect: Effect): Promise<void> {
  const { connection } = projection;
  await together(connection, [
    ...effect.projects.map((change) => async () => await writeProject(connection, change)),
    ...[...effect.issues.values()].map(
      (change) => async () => await writeIssue(projection, change),
    ),
    async () => await writeCounts(connection, projection.loaded, effect),
  ]);
  await together(connection, [
    async () => await writeLinks(connection, [...effect.links.values()]),
    ...[...effect.labels.values()].map((label) => async () => await writeLabel(projection, label)),
  ]);
  for (const change of effect.rest) await writeRest(projection, change);
  for (const { before, after } of effect.issues.values()) {
    const { uid, recurrence_uid } = after.row;
    if (recurrence_uid !== (before?.row.recurrence_uid ?? null))
      await linkSeries.run(connection, { uid });
  }
}

async function writeProject(
  connection: Connection,
  { before, after }: Effect["projects"][number],
): Promise<void> {
  if (before === undefined) await insertProject(connection, after);
  else await updateProject(connection, before, after);
}

async function writeIssue(
  { connection, texts }: Projection,
  { before, after }: IssueEffect,
): Promise<void> {
  const values = issueValues(after.row, after.derived);
  if (before === undefined) await insertIssue(connection, after.row, after.derived);
  else await updateIssue(connection, issueValues(before.row, before.derived), values);
  await writeMeta(connection, before?.row, after.row);
  if (isTextChanged(before?.row, after.row)) texts.add(after.row.uid);
}

function isTextChanged(before: IssueRow | undefined, after: IssueRow): boolean {
  return (
    before === undefined ||
    before.title !== after.title ||
    before.body !== after.body ||
    before.project_uid !== after.project_uid
  );
}

async function writeMeta(
  connection: Connection,
  before: IssueRow | undefined,
  after: IssueRow,
): Promise<void> {
  if (before?.metadata === after.metadata) return;
  const old = before?.metadata ?? {};
  for (const key of Object.keys(old)) {
    if (!Object.hasOwn(after.metadata, key))
      await removeMeta.run(connection, { issue_uid: after.uid, key: indexed(key) });
  }
  for (const [key, value] of Object.entries(after.metadata)) {
    if (Object.hasOwn(old, key) && canonicalJson(old[key] ?? null) === canonicalJson(value))
      continue;
    await putMeta.run(connection, {
      issue_uid: after.uid,
      key: indexed(key),
      value: indexedValue(value),
    });
  }
}

async function writeLinks(connection: Connection, links: readonly LinkEffect[]): Promise<void> {
  for (const { before, after, ends } of links) {
    if (before === undefined || before === after) continue;
    if (after === undefined) await removeLink.run(connection, ends);
    else await updateLink.run(connection, after);
  }
  for (const { before, after } of links)
    if (after !== undefined && before === undefined) await insertLink.run(connection, after);
}

async function writeLabel(
  { connection, texts }: Projection,
  { issue_uid, label, before, after }: LabelEffect,
): Promise<void> {
  if (before === after) return;
  if (after === undefined) await removeLabel.run(connection, { issue_uid, label });
  else await putLabel.run(connection, after);
  texts.add(issue_uid);
}

async function writeRest({ connection, texts }: Projection, change: Change): Promise<void> {
  switch (change.table) {
    case "alias":
      await ("put" in change
        ? putAlias.run(connection, change.put)
        : removeAlias.run(connection, change.remove));
      return;
    case "comment":
      if ("put" in change) {
        texts.add(change.put.issue_uid);
        await putComment.run(connection, change.put);
      } else await removeComment.run(connection, change.remove);
      return;
    case "idempotency":
      await ("put" in change
        ? putIdempotency.run(connection, change.put)
        : removeIdempotency.run(connection, change.remove));
      return;
    case "import":
      await ("put" in change
        ? putImport.run(connection, change.put)
        : removeImport.run(connection, change.remove));
      return;
    case "former":
      await ("put" in change
        ? putFormer.run(connection, change.put)
        : removeFormer.run(connection, change.remove));
      return;
    case "lease":
      invariant("put" in change, "a lease that is over stays, for its fence");
      await putLease(connection, change.put);
      return;
    case "recurrence":
      invariant("put" in change, "a series that is deleted stays as a tombstone");
      await putRecurrence(connection, change.put);
      return;
    case "cron_jobs":
      invariant("put" in change, "a job that is deleted stays as a tombstone");
      await putCronJob(connection, change.put);
      return;
    case "cron_workflows":
      invariant("put" in change, "a workflow that is deleted stays as a tombstone");
      await putCronWorkflow(connection, change.put);
      return;
    case "cron_runs":
      invariant("put" in change, "a run stays");
      await putCronRun(connection, change.put);
      return;
    case "project":
      invariant(!("put" in change), "a project is put before what refers to it");
      await removeLabelCounts.run(connection, change.remove);
      await removeProject.run(connection, change.remove);
      return;
    case "issue":
    case "link":
    case "label":
      throw new Error(`a ${change.table} is not removed here`);
  }
}
