import { invariant } from "../base/invariant.ts";
import { canonicalJson } from "../base/json.ts";
import type { Change, IssueRow } from "../domain/state.ts";
import { type Connection, together } from "./connection.ts";
import { writeCounts } from "./counts.ts";
import type { Effect, IssueEffect, LabelEffect, LinkEffect } from "./effect.ts";
import { indexed, indexedValue } from "./meta-key.ts";
import type { Projection } from "./projection.ts";
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

/** Rows before those that refer to them; links that go before links that come, since a child has one parent. */
export async function writeEffect(projection: Projection, effect: Effect): Promise<void> {
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
