import type { JsonObject } from "../base/json.ts";
import type { RestoreRow, SnapshotRows } from "../store/whole.ts";
import type { ObjectReader } from "./object-reader.ts";

/** Local ids stand in the file beside uids; they are looked up here. */
export interface Refs {
  readonly projectIds: ReadonlyMap<string, number>;
  readonly projectNames: ReadonlyMap<string, string>;
  readonly issueIds: ReadonlyMap<string, number>;
  readonly recurrenceIds: ReadonlyMap<string, number>;
  /** The projects that the file has. */
  readonly projects: ReadonlySet<string>;
  /** Where each issue is. */
  readonly issueProjects: ReadonlyMap<string, string>;
}

/** The uids that a file's local ids stand for; an id that no earlier line gave refuses the line. */
export interface Uids {
  project(id: number): string;
  issue(id: number): string;
  recurrence(id: number): string;
}

/** `idempotency` and `former` have no kind: their rows are read from the events. */
export type ArchivedTable = Exclude<keyof SnapshotRows, "idempotency" | "former">;

export type ReadRow<T extends ArchivedTable> = Extract<RestoreRow, { readonly table: T }>["row"];

export interface Kind<T extends ArchivedTable> {
  readonly kind: string;
  readonly table: T;
  /** The fields in the order of the contract; null and undefined ones are left out of the line. */
  out(row: SnapshotRows[T], refs: Refs): JsonOut;
  in(read: ObjectReader, uids: Uids): ReadRow<T>;
}

export type JsonOut = {
  readonly [key: string]: JsonObject | readonly string[] | string | number | null | undefined;
};
