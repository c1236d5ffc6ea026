import { basename, dirname } from "node:path";
import type { Writable } from "node:stream";
import { SvcError } from "../contract/errors.ts";
import type { Maps } from "../domain/maps.ts";
import type { Table } from "../domain/tables/table.ts";
import { ARCHIVED, type ArchivedTable, TABLES } from "../domain/tables/tables.ts";
import { SYSTEM_PROJECT_UID } from "../domain/tokens.ts";
import type { Snapshot, SnapshotRows } from "../store/admin-store.ts";
import { openSnapshot, withUpgraded } from "../store/open.ts";
import { Scratch } from "../store/scratch.ts";
import { DIGEST, ENDS_WITH, type Record, withDigest } from "./digest.ts";
import { requireUnserved } from "./held.ts";
import { type Output, outputAt, STDOUT, writeToStream } from "./output.ts";
import { kindOf, rowOut } from "./records.ts";
import type { RecordOut, Refs } from "./refs.ts";
import type { Target } from "./target.ts";
import { clearTempFiles } from "./temp-files.ts";
import { writeFileWhole } from "./write-file.ts";

export interface ExportOptions {
  /**
   * The only project to export: its rows, and its links to issues of other projects
   * (docs/contract/command-line.md#62-exporting).
   */
  readonly project?: { readonly name: string } | { readonly id: number };
  /** Whether deleted issues, archived projects and the rows that belong to them are included. */
  readonly includeDeleted: boolean;
}

export interface DatabaseExportOptions extends ExportOptions {
  /** Allows an export while a daemon serves the database; what the daemon writes during the export may be missing. */
  readonly allowDaemon: boolean;
  /** The stream for `-` and `/dev/stdout`. */
  readonly stdout: Writable;
}

export interface ExportResult {
  readonly path: string;
  readonly records: number;
  readonly bytes: number;
}

/**
 * Exports a database into a file. The file gets its name only when it is complete. Needs no daemon, and does not block
 * one. A regular file is replaced; a pipe, a device or standard output is written to directly.
 */
export async function exportDatabase(
  source: Target,
  path: string,
  options: DatabaseExportOptions,
): Promise<ExportResult> {
  if (source.dialect === "sqlite" && !options.allowDaemon) requireUnserved(source.dsn);
  const output = await outputAt(path);
  return await withUpgraded(source, async (readable) => {
    return await exportInto(output, { ...source, ...readable }, path, options);
  });
}

async function exportInto(
  output: Output,
  source: Target,
  path: string,
  options: DatabaseExportOptions,
): Promise<ExportResult> {
  const snapshot = await openSnapshot(source);
  try {
    if (output.kind === "file") await removeUnfinished(output.path);
    const lines = exportLines(snapshot, options);
    const to = output.kind === "stdout" ? STDOUT : output.path;
    const written =
      output.kind === "file"
        ? await writeFileWhole(to, lines)
        : await writeToStream(to, lines, options.stdout);
    return {
      path: output.kind === "stdout" ? STDOUT : path,
      records: written.lines,
      bytes: written.bytes,
    };
  } finally {
    await snapshot.close();
  }
}

/** Removes the temporary files of killed exports to this path or to a file with a default name in the same folder. */
async function removeUnfinished(path: string): Promise<void> {
  const own = basename(path);
  await clearTempFiles(
    dirname(path),
    (of) => of === own || /^svc-export-\d{8}T\d{6}Z\.jsonl$/.test(of),
  );
}

/**
 * Yields the lines of an export of one snapshot, without line breaks (docs/contract/command-line.md#61-the-file and
 * docs/contract/command-line.md#62-exporting).
 */
export async function* exportLines(
  snapshot: Snapshot,
  options: ExportOptions,
): AsyncGenerator<string> {
  const scratch = await Scratch.open();
  try {
    yield* withDigest(records(snapshot, options, scratch));
  } finally {
    scratch.close();
  }
}

async function* records(
  snapshot: Snapshot,
  options: ExportOptions,
  maps: Maps,
): AsyncGenerator<Record> {
  const version = { key: "export_version", value: String(snapshot.schemaVersion) };
  yield {
    kind: "meta",
    text: JSON.stringify({ kind: "meta", data: version, [ENDS_WITH]: DIGEST }),
  };
  yield record("meta", { key: "instance_uid", value: snapshot.instanceUid });
  const scope = await readScope(snapshot, options, maps);
  for (const table of ARCHIVED) yield* tableRecords(snapshot, table, scope);
}

async function* tableRecords<T extends ArchivedTable>(
  snapshot: Snapshot,
  table: T,
  scope: Scope,
): AsyncGenerator<Record> {
  for await (const row of snapshot.rows(table)) {
    if (isChosen(table, row, scope)) yield record(kindOf(table), rowOut(table, row, scope));
  }
}

/** Which rows an export includes, and the local ids and names by which records refer to other rows. */
interface Scope extends Refs {
  /** Whether all projects are exported. */
  readonly whole: boolean;
  readonly issues: ChosenUids;
  readonly recurrences: ChosenUids;
  /** The mapped fields that bridges of these issues use. */
  readonly mappings: ChosenUids;
}

interface ChosenUids {
  has(uid: string): boolean;
}

async function readScope(
  snapshot: Snapshot,
  { project, includeDeleted }: ExportOptions,
  maps: Maps,
): Promise<Scope> {
  const projectIds = new Map<string, number>();
  const projectNames = new Map<string, string>();
  const projects = new Set<string>();
  for await (const row of snapshot.rows("project")) {
    projectIds.set(row.uid, row.id);
    projectNames.set(row.uid, row.name);
    const wanted =
      project === undefined ||
      ("name" in project ? project.name === row.name : project.id === row.id);
    if (wanted && (includeDeleted || row.deleted_at === null)) projects.add(row.uid);
  }
  if (project !== undefined && projects.size === 0)
    throw new SvcError("project_not_found", project);
  const recurrenceIds = new Map<string, number>();
  const recurrences = new Set<string>();
  for await (const row of snapshot.rows("recurrence")) {
    recurrenceIds.set(row.uid, row.id);
    if (projects.has(row.project_uid) && (includeDeleted || row.deleted_at === null))
      recurrences.add(row.uid);
  }
  const issueIds = maps.map<number>();
  const issueProjects = maps.map<string>();
  const issues = maps.map<1>();
  for await (const row of snapshot.rows("issue")) {
    issueIds.set(row.uid, row.id);
    issueProjects.set(row.uid, row.project_uid);
    if (!projects.has(row.project_uid) || (!includeDeleted && row.deleted_at !== null)) continue;
    issues.set(row.uid, 1);
    // Export the series of each exported issue, even if the series is deleted: the issue's planning dates are in the
    // time zone of its series.
    if (row.recurrence_uid !== null) recurrences.add(row.recurrence_uid);
  }
  const whole = project === undefined;
  const mappings = new Set<string>();
  for await (const row of snapshot.rows("external_field_state"))
    if (issues.has(row.issue_uid)) mappings.add(row.mapping_uid);
  return {
    ids: { project: projectIds, issue: issueIds, recurrence: recurrenceIds },
    projectNames,
    issueProjects,
    projects,
    recurrences,
    issues,
    mappings,
    whole,
    wholeLog: whole && includeDeleted,
  };
}

/** True if the project or the issue that the row belongs to is exported. */
function isChosen<T extends ArchivedTable>(table: T, row: SnapshotRows[T], scope: Scope): boolean {
  const { projects, issues, recurrences, whole, wholeLog } = scope;
  if (table === "event") return isEventChosen(row as SnapshotRows["event"], scope);
  if (table === "log_gap") return wholeLog;
  const values: { readonly [column: string]: unknown } = row;
  const isIn = (uids: ChosenUids, column: string) => uids.has(String(values[column]));
  if (table === "project") return isIn(projects, "uid");
  if (table === "issue") return isIn(issues, "uid");
  if (table === "recurrence") return isIn(recurrences, "uid");
  if (table === "external_field_mapping") return whole || isIn(scope.mappings, "uid");
  const { belongs }: Table = TABLES[table];
  // A row that names no project is about all projects.
  if ("project" in belongs)
    return values[belongs.project] === null ? whole : isIn(projects, belongs.project);
  // A link is exported if one of its issues is exported. A restore skips the link if the other issue is missing.
  if ("issue" in belongs) return belongs.issue.some((column) => isIn(issues, column));
  return whole;
}

/**
 * True if an event is exported. It is exported with its issue, even if it happened in a project that the issue has
 * left. An event without an issue is exported with its project.
 */
function isEventChosen(
  { project_uid, feed_uid = project_uid, issue_uid }: SnapshotRows["event"],
  { projects, issues, ids, whole }: Scope,
): boolean {
  if (feed_uid === SYSTEM_PROJECT_UID) return whole;
  return issue_uid !== undefined && ids.issue.get(issue_uid) !== undefined
    ? issues.has(issue_uid)
    : projects.has(feed_uid);
}

function record(kind: string, data: RecordOut): Record {
  const present = Object.entries(data).filter(([, value]) => value !== null && value !== undefined);
  return { kind, text: JSON.stringify({ kind, data: Object.fromEntries(present) }) };
}
