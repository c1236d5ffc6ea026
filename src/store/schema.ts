import type { Rows, Tables } from "../domain/tables/tables.ts";

export type { Tables };

/**
 * A row as stored; `domain/tables` describes the tables and columns. Opaque JSON is text, so that numbers keep their
 * exact form; booleans are 0 or 1; instants are UTC text with milliseconds.
 */
export type Selected<T extends keyof Tables> = Tables[T];

/** The stored row with its JSON parsed. It includes the columns that the fold does not compute. */
export type Parsed<T extends keyof Tables> = Rows[T] & Omit<Tables[T], keyof Rows[T]>;
