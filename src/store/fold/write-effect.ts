import { invariant } from "../../base/invariant.ts";
import { type JsonValue, sameJson } from "../../base/json.ts";
import type { Change, ChangeOf, IssueRow } from "../../domain/state.ts";
import type { FoldedTable, Rows } from "../../domain/tables/tables.ts";
import { type Connection, together } from "../connection.ts";
import type { LoadedIssue } from "../load/loaded.ts";
import { indexed, indexedValue } from "../rows/meta-key.ts";
import { putRow, putRows, removeRow } from "../rows/table-rows.ts";
import type { ChangedRow } from "../rows/update.ts";
import type { FoldContext } from "./context.ts";
import { writeCounts } from "./counts.ts";
import type { Effect, IssueEffect, LabelEffect, LinkEffect } from "./effect.ts";
import {
  insertIssue,
  insertLink,
  issueValues,
  linkSeries,
  removeLink,
  updateIssue,
  updateLink,
} from "./write-issues.ts";
import {
  insertProject,
  projectValues,
  removeLabelCounts,
  removeProject,
  updateProject,
} from "./write-projects.ts";

/**
 * Writes the rows that changed. A row is written before the rows that refer to it. Links are deleted before links are
 * added, so that no child has two parents in between.
 */
export async function writeEffect(context: FoldContext, effect: Effect): Promise<void> {
  const { connection } = context;
  const issues = [...effect.issues.values()];
  const changed = issues.flatMap(({ before, after }) => (before ? { before, after } : []));
  await together(connection, [
    ...effect.projects.map((change) => async () => await writeProject(connection, change)),
    async () => await writeNewIssues(connection, issues),
    ...changed.map((issue) => async () => await writeIssue(connection, issue)),
    async () => await writeCounts(connection, context.loaded, effect),
  ]);
  await together(connection, [
    async () => await writeLinks(connection, [...effect.links.values()]),
    async () => await writeLabels(connection, [...effect.labels.values()]),
  ]);
  noteTexts(context, effect);
  for (const changes of neighbours(effect.rest)) await writeRest(context, changes);
  for (const { before, after } of issues) {
    const { uid, recurrence_uid } = after.row;
    if (recurrence_uid !== (before?.row.recurrence_uid ?? null))
      await linkSeries.run(connection, { uid });
  }
}

/** Writes the project without deferring it, since rows that are written after it refer to it. */
async function writeProject(
  connection: Connection,
  { before, after }: Effect["projects"][number],
): Promise<void> {
  const values = projectValues(after);
  if (before === undefined) await insertProject.write(connection, [values]);
  else await updateProject.write(connection, [{ before: projectValues(before), after: values }]);
}

async function writeNewIssues(
  connection: Connection,
  issues: readonly IssueEffect[],
): Promise<void> {
  const made = issues.filter(({ before }) => before === undefined).map(({ after }) => after);
  await insertIssue.run(
    connection,
    made.map(({ row, derived }) => issueValues(row, derived)),
  );
  await putRows(
    connection,
    "issue_meta",
    made.flatMap(({ row: { uid, metadata } }) =>
      Object.entries(metadata).map(([key, value]) => metaRow(uid, key, value)),
    ),
  );
}

async function writeIssue(
  connection: Connection,
  { before, after }: ChangedRow<LoadedIssue>,
): Promise<void> {
  await updateIssue.run(connection, {
    before: issueValues(before.row, before.derived),
    after: issueValues(after.row, after.derived),
  });
  await writeMeta(connection, before.row, after.row);
}

/**
 * Registers the issues whose full-text rows must be written. A new issue is registered with its labels, so that they
 * need not be read.
 */
function noteTexts({ texts }: FoldContext, { issues, labels }: Effect): void {
  const made = new Map<string, string[]>();
  for (const [uid, { before, after }] of issues) {
    if (before === undefined) made.set(uid, []);
    else if (isTextChanged(before.row, after.row)) texts.add(uid);
  }
  for (const { issue_uid, label, before, after } of labels.values()) {
    if (before === after) continue;
    const own = made.get(issue_uid);
    if (own === undefined) texts.add(issue_uid);
    else if (after !== undefined) own.push(label);
  }
  for (const [uid, own] of made) texts.addNew(uid, own);
}

function isTextChanged(before: IssueRow, after: IssueRow): boolean {
  return (
    before.title !== after.title ||
    before.body !== after.body ||
    (before.deleted_at === null) !== (after.deleted_at === null) ||
    before.project_uid !== after.project_uid
  );
}

async function writeMeta(connection: Connection, before: IssueRow, after: IssueRow): Promise<void> {
  if (before.metadata === after.metadata) return;
  const old = before.metadata;
  for (const key of Object.keys(old)) {
    if (!Object.hasOwn(after.metadata, key))
      await removeRow(connection, "issue_meta", { issue_uid: after.uid, key: indexed(key) });
  }
  for (const [key, value] of Object.entries(after.metadata)) {
    if (Object.hasOwn(old, key) && sameJson(old[key], value)) continue;
    await putRow(connection, "issue_meta", metaRow(after.uid, key, value));
  }
}

function metaRow(issue_uid: string, key: string, value: JsonValue): Rows["issue_meta"] {
  return { issue_uid, key: indexed(key), value: indexedValue(value) };
}

async function writeLinks(connection: Connection, links: readonly LinkEffect[]): Promise<void> {
  for (const { before, after, ends } of links) {
    if (before === undefined || before === after) continue;
    if (after === undefined) await removeLink(connection, ends);
    else await updateLink.run(connection, { before, after });
  }
  for (const { before, after } of links)
    if (after !== undefined && before === undefined) await insertLink.run(connection, [after]);
}

async function writeLabels(connection: Connection, labels: readonly LabelEffect[]): Promise<void> {
  for (const { issue_uid, label, before, after } of labels)
    if (before !== undefined && after === undefined)
      await removeRow(connection, "label", { issue_uid, label });
  await putRows(
    connection,
    "label",
    labels.flatMap(({ before, after }) => (after === undefined || after === before ? [] : after)),
  );
}

/** Groups the changes without changing their order: consecutive puts into the same table form one group. */
function* neighbours(changes: readonly Change[]): Generator<readonly [Change, ...Change[]]> {
  let some: [Change, ...Change[]] | undefined;
  for (const change of changes) {
    const [first] = some ?? [];
    if (first?.table === change.table && "put" in first && "put" in change) some?.push(change);
    else {
      if (some !== undefined) yield some;
      some = [change];
    }
  }
  if (some !== undefined) yield some;
}

async function writeRest(
  { connection, texts }: FoldContext,
  changes: readonly [Change, ...Change[]],
): Promise<void> {
  const [first] = changes;
  invariant(first.table !== "issue", "an issue is put before what refers to it, and never removed");
  if (first.table === "project") {
    invariant("remove" in first, "a project is put before what refers to it");
    await removeLabelCounts.run(connection, first.remove);
    await removeProject.write(connection, [first.remove]);
    return;
  }
  for (const change of changes)
    if (change.table === "comment" && "put" in change) texts.add(change.put.issue_uid);
  await writeRows(connection, first.table, changes);
}

/** Writes changes of one table: either only puts, or a single removal. */
async function writeRows<T extends FoldedTable>(
  connection: Connection,
  table: T,
  changes: readonly Change[],
): Promise<void> {
  const rows: Rows[T][] = [];
  for (const change of changes as readonly ChangeOf<T>[]) {
    if ("put" in change) rows.push(change.put);
    else await removeRow(connection, table, change.remove);
  }
  if (rows.length > 0) await putRows(connection, table, rows);
}
