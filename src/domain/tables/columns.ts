import type { JsonObject } from "../../base/json.ts";

/** Where a uid of another row stands in a record of an export. */
export interface Reference {
  readonly to: "project" | "issue" | "recurrence";
  /** The field that holds its local id. */
  readonly id: string;
  /**
   * The field that holds the uid, where there is one: `beside` the id, or `instead` of it where the file does not hold
   * the other row. A required uid beside an id is what counts, and the id says nothing more.
   */
  readonly uid?: { readonly field: string; readonly stands: "beside" | "instead" };
  /** The field for the local id of the project that the issue is in. */
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
  | "clock";

/** One column. `V` is the type of its values in the program. */
export interface Column<V> {
  readonly type: "text" | "integer";
  readonly format: Format;
  readonly nullable: boolean;
  /** Text that holds JSON. Says in words whose JSON it is, `{uid}` is that of the row. */
  readonly json?: string;
  readonly words?: readonly string[];
  /** The least integer. */
  readonly least?: number;
  /** What a record that lacks the field means; not said of a column that may be null. */
  readonly absent?: V;
  readonly reference?: Reference;
  /** Fields of a record, by name, that have the same value in each and stand in front of this one. */
  readonly constants?: Readonly<Record<string, string>>;
  /** What a new row has in a column that is computed. */
  readonly initial?: V;
  /** No value: it carries the type. */
  readonly typed?: V;
}

type More<V> = Pick<Column<V>, "absent" | "reference" | "constants" | "initial">;

export function text(more: More<string> = {}): Column<string> {
  return { type: "text", format: "text", nullable: false, ...more };
}

/** A ULID. */
export function uid(more: More<string> = {}): Column<string> {
  return { type: "text", format: "uid", nullable: false, ...more };
}

/** UTC text with milliseconds. */
export function instant(): Column<string> {
  return { type: "text", format: "instant", nullable: false };
}

/** An instant as a caller wrote it: offset and digits are kept. */
export function writtenInstant(): Column<string> {
  return { type: "text", format: "instant as written", nullable: false };
}

export function integer(least: number, more: More<number> = {}): Column<number> {
  return { type: "integer", format: "integer", nullable: false, least, ...more };
}

/** 0 or 1. */
export function flag(more: More<0 | 1> = {}): Column<0 | 1> {
  return { type: "integer", format: "integer", nullable: false, ...more };
}

export function oneOf<const W extends string>(words: readonly W[]): Column<W> {
  return { type: "text", format: "word", nullable: false, words };
}

/** JSON is kept as text, so that numbers keep their spelling. `whose` is for the message that it is damaged. */
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

/** The same column, which may also be null. */
export function nullable<V>(column: Column<V>): Column<V | null> {
  return { ...column, nullable: true };
}

/** The project that a row is in. In a record it is a local id. */
export function projectUid(): Column<string> {
  return uid({ reference: { to: "project", id: "project_id" } });
}

/** The issue that a row is of. In a record it is a local id. */
export function issueUid(): Column<string> {
  return uid({ reference: { to: "issue", id: "issue_id" } });
}

/** What a project or an issue is told of itself. */
export function metadata(): Column<JsonObject> {
  return object("the metadata of an issue or project");
}
