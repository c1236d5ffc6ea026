import type { JsonObject } from "../../base/json.ts";

/** How an export record refers to the row whose uid is in this column. */
export interface Reference {
  readonly to: "project" | "issue" | "recurrence";
  /** The field with the local id of the other row. */
  readonly id: string;
  /**
   * The field with the uid of the other row. A record has it in addition to the id (`beside`), or instead of the id if
   * the export does not contain the other row (`instead`). If a record has both, an import ignores the id.
   */
  readonly uid?: { readonly field: string; readonly stands: "beside" | "instead" };
  /** Only for a reference to an issue: the field with the local id of the issue's project. */
  readonly project?: string;
}

/** How the value of a field is checked when it is read from a file. */
export type Format =
  | "text"
  | "uid"
  | "instant"
  /** An instant that keeps its offset and digits. */
  | "instant as written"
  | "integer"
  | "word"
  | "object"
  | "texts"
  | "clock"
  /** Bytes, which a record has as base64. */
  | "bytes";

/** One column. `V` is the type of its values in the program. */
export interface Column<V> {
  readonly type: "text" | "integer" | "bytes";
  readonly format: Format;
  readonly nullable: boolean;
  /**
   * Set if the column contains JSON: the name of the value in error messages. In this name, a field in braces such as
   * `{uid}` stands for its value in the row.
   */
  readonly json?: string;
  readonly words?: readonly string[];
  /** The minimum of an integer. */
  readonly least?: number;
  /** The value for a record without the field; if not set, a nullable column gets null. */
  readonly absent?: V;
  readonly reference?: Reference;
  /** Constant fields, by name, that every export record has before the column's own field. */
  readonly constants?: Readonly<Record<string, string>>;
  /** The value of a derived column in a new row. */
  readonly initial?: V;
  /** Never set; only makes `V` part of the type. */
  readonly typed?: V;
}

type ColumnOptions<V> = Pick<Column<V>, "absent" | "reference" | "constants" | "initial">;

export function text(more: ColumnOptions<string> = {}): Column<string> {
  return { type: "text", format: "text", nullable: false, ...more };
}

/** A column whose values are ULIDs. */
export function uid(more: ColumnOptions<string> = {}): Column<string> {
  return { type: "text", format: "uid", nullable: false, ...more };
}

/** A column whose values are instants, as UTC text with milliseconds. */
export function instant(): Column<string> {
  return { type: "text", format: "instant", nullable: false };
}

export function writtenInstant(): Column<string> {
  return { type: "text", format: "instant as written", nullable: false };
}

export function integer(least: number, more: ColumnOptions<number> = {}): Column<number> {
  return { type: "integer", format: "integer", nullable: false, least, ...more };
}

export function flag(more: ColumnOptions<0 | 1> = {}): Column<0 | 1> {
  return { type: "integer", format: "integer", nullable: false, ...more };
}

export function oneOf<const W extends string>(words: readonly W[]): Column<W> {
  return { type: "text", format: "word", nullable: false, words };
}

/** JSON is stored as text, so that numbers keep their spelling. `whose` names the value in errors. */
export function object(whose: string): Column<JsonObject> {
  return { type: "text", format: "object", nullable: false, json: whose };
}

export function texts(whose: string): Column<readonly string[]> {
  return { type: "text", format: "texts", nullable: false, json: whose };
}

/** The hybrid clock of the event that wrote a row. */
export type WrittenClock = {
  readonly version: 1;
  readonly physical_ms: number;
  readonly counter: number;
  readonly origin_instance_uid: string;
};

export function clock(whose: string): Column<WrittenClock> {
  return { type: "text", format: "clock", nullable: false, json: whose };
}

/** Bytes, such as a vector or a digest. A column of bytes cannot be part of a key. */
export function bytes(): Column<Uint8Array> {
  return { type: "bytes", format: "bytes", nullable: false };
}

export function nullable<V>(column: Column<V>): Column<V | null> {
  return { ...column, nullable: true };
}

/** The uid of the row's project; an export record has the local id instead. */
export function projectUid(): Column<string> {
  return uid({ reference: { to: "project", id: "project_id" } });
}

/** The uid of the row's issue; an export record has the local id instead. */
export function issueUid(): Column<string> {
  return uid({ reference: { to: "issue", id: "issue_id" } });
}

export function metadata(): Column<JsonObject> {
  return object("the metadata of an issue or project");
}
