import { rowValueToJson } from "../base/bytes.ts";
import { invariant } from "../base/invariant.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import type { Column, Reference } from "../domain/tables/columns.ts";
import type { RecordOf, Table } from "../domain/tables/table.ts";
import { type ArchivedTable, TABLES } from "../domain/tables/tables.ts";
import type { ObjectReader } from "../sources/files/object-reader.ts";
import type { RestoreRow, SnapshotRows } from "../store/admin-store.ts";
import { computed } from "./computed.ts";
import { eventOut, readEvent } from "./event-record.ts";
import type { RecordOut, Refs, Uids } from "./refs.ts";

/** The record kind of a table (docs/contract/command-line.md#61-the-file). */
export function kindOf(table: ArchivedTable): string {
  return recordOf(table).kind;
}

function recordOf(table: ArchivedTable): RecordOf<string> {
  const { record }: Table = TABLES[table];
  invariant("kind" in record, "an archived table has records");
  return record;
}

/** Returns the fields of the record of a row. A field may be null or undefined; the caller leaves such fields out. */
export function rowOut<T extends ArchivedTable>(
  table: T,
  row: SnapshotRows[T],
  refs: Refs,
): RecordOut {
  if (table === "event") return eventOut(row as SnapshotRows["event"], refs);
  const values: Readonly<Record<string, unknown>> = row;
  const out: Record<string, JsonValue | undefined> = {};
  if (TABLES[table].numbered) out["id"] = values["id"] as number;
  for (const [name, column] of fieldsOf(table)) {
    Object.assign(out, column.constants);
    if (column.reference === undefined) out[name] = rowValueToJson(values[name]);
    else Object.assign(out, referenceOut(column.reference, values[name] as string | null, refs));
  }
  return out;
}

function fieldsOf(table: ArchivedTable): readonly (readonly [string, Column<unknown>])[] {
  const { without = [] } = recordOf(table);
  return Object.entries(TABLES[table].columns).filter(([name]) => !without.includes(name));
}

function referenceOut({ to, id, uid, project }: Reference, value: string | null, refs: Refs) {
  const byId = { [id]: refs.ids[to].get(value ?? "") };
  if (uid === undefined) return byId;
  if (uid.stands === "instead")
    return refs.projects.has(value ?? "") ? byId : { [uid.field]: value };
  const home = refs.issueProjects.get(value ?? "") ?? "";
  const inProject = project === undefined ? {} : { [project]: refs.ids.project.get(home) };
  return { ...inProject, ...byId, [uid.field]: value };
}

/** Converts the fields of a line into a row. Throws `validation` with the line's number if a field is invalid. */
export function readRow(table: ArchivedTable, read: ObjectReader, uids: Uids): RestoreRow {
  if (table === "event") return { table, row: readEvent(read, uids) };
  const row: Record<string, unknown> = {};
  if (TABLES[table].numbered) row["id"] = read.integer("id", 1);
  for (const name of recordOf(table).ignored ?? []) read.optionalInteger(name, 1);
  for (const [name, column] of fieldsOf(table)) {
    for (const [field, word] of Object.entries(column.constants ?? {})) read.oneOf(field, [word]);
    row[name] =
      column.reference === undefined
        ? readColumn(name, column, read)
        : readReference(column.reference, column.nullable, read, uids);
  }
  Object.assign(row, computed(table, row));
  return { table, row } as RestoreRow;
}

function readReference(
  { to, id, uid, project }: Reference,
  nullable: boolean,
  read: ObjectReader,
  uids: Uids,
): string | null {
  if (project !== undefined) read.optionalInteger(project, 1);
  if (uid === undefined) return nullable && !read.has(id) ? null : uids[to](read.integer(id, 1));
  if (uid.stands === "instead") return read.optionalUid(uid.field) ?? uids[to](read.integer(id, 1));
  const local = read.optionalInteger(id, 1);
  if (!nullable) return read.uid(uid.field);
  // A file that an older svc or another program has written may have the local id but no uid.
  return read.optionalUid(uid.field) ?? (local === undefined ? null : uids[to](local));
}

function readColumn(name: string, column: Column<unknown>, read: ObjectReader): unknown {
  const { absent } = column;
  if ((column.nullable || absent !== undefined) && !read.has(name)) return absent ?? null;
  switch (column.format) {
    case "text":
      return read.text(name);
    case "uid":
      return read.uid(name);
    case "instant":
      return read.instant(name);
    case "instant as written":
      return read.instantText(name);
    case "integer":
      return read.integer(name, column.least ?? 0);
    case "word":
      return read.oneOf(name, column.words ?? []);
    case "object":
      return read.object(name);
    case "texts":
      return read.texts(name);
    case "bytes":
      return read.bytes(name);
    case "clock":
      return readClock(read.inside(name));
  }
}

function readClock(read: ObjectReader): JsonObject {
  read.integer("version", 1);
  return {
    version: 1,
    physical_ms: read.integer("physical_ms", 0),
    counter: read.integer("counter", 0),
    origin_instance_uid: read.uid("origin_instance_uid"),
  };
}
