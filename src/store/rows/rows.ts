import type { Kysely } from "kysely";
import { canonicalJson, type JsonObject, type JsonValue, parseJson } from "../../base/json.ts";
import type { EventKind, StoredEvent } from "../../contract/events.ts";
import { feedOf } from "../../domain/event-filter.ts";
import type { TextsOf } from "../../domain/tables/table.ts";
import {
  type Derived,
  eachTable,
  type Inserts,
  type Rows,
  type TableName,
} from "../../domain/tables/tables.ts";
import { damaged } from "../errors.ts";
import type { Parsed, Selected, Tables } from "../schema.ts";
import type { StoredIssue, StoredProject } from "../types/rows.ts";

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

const BYTES_COLUMNS: ReadonlyMap<TableName, readonly string[]> = new Map(
  eachTable().map(([table, { columns }]) => [
    table,
    Object.keys(columns).filter((name) => columns[name]?.type === "bytes"),
  ]),
);

type Values = Record<string, unknown>;

/**
 * Parses the JSON columns of a row from the database, and copies its bytes out of the buffers of the driver. Changes
 * the row object itself, since the driver made it and nothing else refers to it.
 */
export function parsed<T extends TableName>(table: T, row: Selected<T>): Parsed<T> {
  const values: Values = row;
  for (const { name, whose } of JSON_COLUMNS.get(table) ?? []) {
    const text = values[name];
    if (typeof text === "string") values[name] = stored(text, () => filledIn(whose, values));
  }
  for (const name of BYTES_COLUMNS.get(table) ?? []) {
    const bytes = values[name] as Uint8Array | null;
    if (bytes !== null) values[name] = new Uint8Array(bytes);
  }
  return values as Parsed<T>;
}

/**
 * Converts a row for the database. JSON columns become canonical JSON text, so that a stored row and the fold of the
 * log can be compared as text.
 */
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

/**
 * Parses a stored JSON text. All `{}` share one object, since most issues have this value. Only svc writes these texts,
 * so a text that does not parse means that the file is damaged.
 */
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

export function payloadOf(text: string): JsonObject {
  return stored(text, () => "the payload of an event") as JsonObject;
}

/** Keeps only the columns that the fold computes. */
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
  const { content_revision } = row;
  const counts = { open_blockers, open_children, total_children };
  return { ...counts, parked, held, ready_from, content_revision };
}

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

/** A row as it is inserted, with initial values in its derived columns. */
export function insertOf<T extends TableName>(table: T, row: Rows[T]): Inserts[T] {
  return {
    ...picked(NAMES.get(table) ?? [], unparsed(table, row)),
    ...initial(table),
  } as Inserts[T];
}

export function projectOf(row: Selected<"project">): StoredProject {
  return { id: row.id, ...folded("project", parsed("project", row)) };
}

export const PROJECT_COLUMNS = [
  "p.id as project_id",
  "p.name as project_name",
  "p.deleted_at as project_deleted_at",
] as const;

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

/** Does not validate the type and the payload, since only svc writes the log. */
export function eventOf(row: Selected<"event">): StoredEvent {
  const { payload, assigned_ids } = parsed("event", row);
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
    chain: row.chain,
    ...(row.feed_uid === row.project_uid ? {} : { feed_uid: row.feed_uid }),
    ...(assigned_ids ? { assigned_ids } : {}),
    ...(row.hub_event_id === null ? {} : { hub_event_id: row.hub_event_id }),
    ...(row.local_actor === null ? {} : { local_actor: row.local_actor }),
    ...(row.skipped_at === null ? {} : { skipped_at: row.skipped_at }),
  };
  return event as unknown as StoredEvent;
}

/** Converts an event to its row. Pass `payload` if the canonical JSON text of the event's payload is known already. */
export function eventValues(
  event: StoredEvent,
  payload: string = canonicalJson(event.payload as unknown as JsonObject),
): Inserts["event"] {
  return {
    id: event.id,
    uid: event.uid,
    origin_instance_uid: event.origin_instance_uid,
    project_uid: event.project_uid,
    feed_uid: feedOf(event),
    issue_uid: event.issue_uid ?? null,
    related_issue_uid: event.related_issue_uid ?? null,
    type: event.type,
    actor: event.actor,
    payload,
    hlc_physical_ms: event.hlc_physical_ms,
    hlc_counter: event.hlc_counter,
    content_hash: event.content_hash,
    created_at: event.created_at,
    chain: event.chain,
    assigned_ids: event.assigned_ids === undefined ? null : canonicalJson(event.assigned_ids),
    hub_event_id: event.hub_event_id ?? null,
    local_actor: event.local_actor ?? null,
    skipped_at: event.skipped_at ?? null,
  };
}
