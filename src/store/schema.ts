import type { Rows, Tables } from "../domain/tables/tables.ts";

export type { Tables };

/**
 * A row as the tables hold it; what tables there are and what their columns hold is in `domain/tables`. Opaque JSON is
 * kept as text, so that numbers keep their spelling; booleans are 0 or 1; instants are UTC text with milliseconds.
 */
export type Selected<T extends keyof Tables> = Tables[T];

/** The same with its JSON parsed, and still with the columns that the fold does not know. */
export type Parsed<T extends keyof Tables> = Rows[T] & Omit<Tables[T], keyof Rows[T]>;
