import type { Kysely } from "kysely";
import { canonicalJson, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import type { EventKind, StoredEvent } from "../contract/events.ts";
import type { TextsOf } from "../domain/tables/table.ts";
import {
  type Derived,
  eachTable,
  type Inserts,
  type Rows,
  type TableName,
} from "../domain/tables/tables.ts";
import { damaged } from "./errors.ts";
import type { Parsed, Selected, Tables } from "./schema.ts";
import type { StoredIssue, StoredProject } from "./types.ts";

/** Rows as the tables hold them, turned into rows as the rest of the program knows them, and back. */

interface JsonColumn {
  readonly name: string;
  readonly whose: string;
}

const JSON_COLUMNS: ReadonlyMap<TableName, readonly JsonColumn[]> = new Map(
  eachTable().map(([table, { columns }]) => [
    table,
    Object.entries(columns).flatMap(([name, { json }]) =>
      json === undefined ? [] : [{ name, whose: json }],
    ),
  ]),
);

type Values = Record<string, unknown>;

/** The row object is new and nobody else has it, so it is turned in place. */
export function parsed<T extends TableName>(table: T, row: Selected<T>): Parsed<T> {
  const values: Values = row;
  for (const { name, whose } of JSON_COLUMNS.get(table) ?? []) {
    const text = values[name] as string | null;
    if (text !== null) values[name] = stored(text, () => filledIn(whose, values));
  }
  return values as Parsed<T>;
}

/** JSON is kept canonical, so that a row and the fold of the log say the same text. */
export function unparsed<T extends TableName>(table: T, row: Rows[T]): TextsOf<Rows[T]> {
  const json = JSON_COLUMNS.get(table) ?? [];
  const values: Values = json.length === 0 ? row : { ...row };
  for (const { name } of json)
    if (values[name] !== null) values[name] = canonicalJson(values[name] as JsonValue);
  return values as TextsOf<Rows[T]>;
}

function filledIn(whose: string, values: Values): string {
  return whose.replaceAll(/\{(\w+)\}/g, (_, column: string) => String(values[column]));
}

const EMPTY: JsonObject = Object.freeze({});

/** `{}` is what most issues have. JSON that svc wrote itself: where it is none, bytes of the file have changed. */
function stored(text: string, whose: () => string): JsonValue {
  if (text === "{}") return EMPTY;
  try {
    return parseJson(text);
  } catch (cause) {
    throw damaged(`${whose()} is not JSON`, cause);
  }
}

export function metadataOf(text: string): JsonObject {
  return stored(text, () => "the metadata of an issue or project") as JsonObject;
}

/** The columns of the fold, and no other. */
export function folded<T extends TableName>(table: T, row: Parsed<T>): Rows[T] {
  return picked(NAMES.get(table) ?? [], row) as Rows[T];
}

const NAMES: ReadonlyMap<TableName, readonly string[]> = new Map(
  eachTable().map(([table, { columns }]) => [table, Object.keys(columns)]),
);

export function picked(names: readonly string[], row: object): Values {
  const values = row as Values;
  const own: Values = {};
  for (const name of names) own[name] = values[name];
  return own;
}

export function derivedOf(row: Parsed<"issue">): Derived<"issue"> {
  const { open_blockers, open_children, total_children, parked, held, ready_from } = row;
  return { open_blockers, open_children, total_children, parked, held, ready_from };
}

/** What a new row has in the columns that are derived. */
export function initial<T extends TableName>(table: T): Derived<T> {
  return (INITIAL.get(table) ?? {}) as Derived<T>;
}

const INITIAL: ReadonlyMap<TableName, Values> = new Map(
  eachTable().map(([table, { derived = {} }]) => [
    table,
    Object.fromEntries(
      Object.entries(derived).map(([name, { initial = null }]) => [name, initial]),
    ),
  ]),
);

/** A row as it is inserted, with nothing yet in what is derived. */
export function insertOf<T extends TableName>(table: T, row: Rows[T]): Inserts[T] {
  return {
    ...picked(NAMES.get(table) ?? [], unparsed(table, row)),
    ...initial(table),
  } as Inserts[T];
}

export function projectOf(row: Selected<"project">): StoredProject {
  return { id: row.id, ...folded("project", parsed("project", row)) };
}

/** What an issue is read with of its project `p`. */
export const PROJECT_COLUMNS = [
  "p.id as project_id",
  "p.name as project_name",
  "p.deleted_at as project_deleted_at",
] as const;

/** Issues `i`, each with its project `p`. */
export function issuesWithProject(db: Kysely<Tables>) {
  return db
    .selectFrom("issue as i")
    .innerJoin("project as p", "p.uid", "i.project_uid")
    .selectAll("i")
    .select(PROJECT_COLUMNS);
}

export type SelectedIssue = Selected<"issue"> &
  Pick<StoredIssue, "project_id" | "project_name" | "project_deleted_at">;

export function issueOf(row: SelectedIssue): StoredIssue {
  const issue: Omit<SelectedIssue, "metadata"> = row;
  return Object.assign(issue, { metadata: metadataOf(row.metadata) });
}

/** The log holds what `append` checked, so its kinds and payloads are taken as they are. */
export function eventOf(row: Selected<"event">): StoredEvent {
  const { payload } = parsed("event", row);
  const event = {
    id: row.id,
    uid: row.uid,
    origin_instance_uid: row.origin_instance_uid,
    project_uid: row.project_uid,
    ...(row.issue_uid === null ? {} : { issue_uid: row.issue_uid }),
    ...(row.related_issue_uid === null ? {} : { related_issue_uid: row.related_issue_uid }),
    type: row.type as EventKind,
    actor: row.actor,
    payload,
    hlc_physical_ms: row.hlc_physical_ms,
    hlc_counter: row.hlc_counter,
    content_hash: row.content_hash,
    created_at: row.created_at,
    ...(row.feed_uid === row.project_uid ? {} : { feed_uid: row.feed_uid }),
  };
  return event as unknown as StoredEvent;
}

/** The payload as text may be known already. */
export function eventValues(
  event: StoredEvent,
  payload: string = canonicalJson(event.payload as unknown as JsonObject),
): Inserts["event"] {
  return {
    id: event.id,
    uid: event.uid,
    origin_instance_uid: event.origin_instance_uid,
    project_uid: event.project_uid,
    feed_uid: event.feed_uid ?? event.project_uid,
    issue_uid: event.issue_uid ?? null,
    related_issue_uid: event.related_issue_uid ?? null,
    type: event.type,
    actor: event.actor,
    payload,
    hlc_physical_ms: event.hlc_physical_ms,
    hlc_counter: event.hlc_counter,
    content_hash: event.content_hash,
    created_at: event.created_at,
  };
}
