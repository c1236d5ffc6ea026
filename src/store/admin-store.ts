import type { SvcError } from "../contract/errors.ts";
import type { StoredEvent } from "../contract/events.ts";
import {
  ARCHIVED,
  type ArchivedTable,
  FOLDED,
  type FoldedTable,
  type Rows,
} from "../domain/tables/tables.ts";
import type { Parsed } from "./schema.ts";
import type { Store } from "./types/store.ts";

/** The result of opening a database that an older svc made: its schema version before and after. */
export interface Upgraded {
  readonly from: number;
  readonly to: number;
  /** The copy of the database from before the upgrade: a file path (SQLite) or a schema name (PostgreSQL). */
  readonly copy?: string;
}

/** The store with further operations on all its data, which export, doctor and restore need. */
export interface AdminStore extends Store {
  /** Undefined when the tables already had the newest schema version. */
  readonly upgraded: Upgraded | undefined;
  /**
   * Runs `turn` while no write of this store runs, so that another connection can write. Writes that arrive meanwhile
   * wait or are refused with `busy`. `turn` returns the last event id that it committed, if any; the commit listeners
   * are called with that id.
   */
  pauseWrites(turn: () => Promise<number | undefined>): Promise<void>;
  /**
   * Throws when the path of a SQLite database no longer leads to the open files, or the daemon has lost its lock file.
   */
  requireHeld(): void;
  /** Resolves with the reason as soon as a write or `requireHeld` finds that the files or the lock are lost. */
  readonly lost: Promise<SvcError>;
  /** Opens a snapshot on a connection of its own, so that a long read (export, doctor) delays no other work. */
  openSnapshot(): Promise<Snapshot>;
  /**
   * Inserts the rows in one transaction and rebuilds everything derived from them: counts, readiness columns, full
   * text, and the end of the log (last id, clock). Rows come in the order of `TABLES`. Without `renumber` the database
   * must have no project and no event (otherwise `conflict`), and every id is kept. With `renumber` the rows are added
   * to the existing ones under new ids and event ids; a uid that exists already is refused. Links with a missing end
   * are skipped; the result counts them.
   */
  restore(
    rows: AsyncIterable<RestoreRow>,
    options: RestoreOptions,
  ): Promise<{ readonly skippedLinks: number }>;
}

type SnapshotTable = FoldedTable | ArchivedTable;

export const SNAPSHOT_TABLES: ReadonlySet<SnapshotTable> = new Set([...FOLDED, ...ARCHIVED]);

/** The rows of an export, with their local ids. Derived columns are included, but a restore recomputes them. */
export type SnapshotRows = {
  readonly [T in SnapshotTable]: T extends "event" ? StoredEvent : Parsed<T>;
};

/** One state of the database for a long read. `openSnapshot(place)` in store/open.ts opens one without a store. */
export interface Snapshot {
  readonly dialect: "sqlite" | "postgres";
  readonly instanceUid: string;
  readonly schemaVersion: number;
  /**
   * The time zone for planning dates without a zone of their own. The column `ready_from` (when a scheduled issue
   * becomes ready) was computed with it.
   */
  readonly timezone: string;
  /**
   * Yields the rows in the order of their ids, or of their keys in tables without ids. Reads 100 rows at a time and
   * lets the event loop run in between.
   */
  rows<T extends keyof SnapshotRows>(table: T): AsyncIterable<SnapshotRows[T]>;
  /** The number of rows in all tables together, for showing progress. */
  count(): Promise<number>;
  /** The faults that `pragma integrity_check` reports; always empty on PostgreSQL. */
  integrity(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The input of `AdminStore.restore`, in the order of `TABLES`: a row comes after the rows that it refers to. */
export type RestoreRow = {
  [T in SnapshotTable]: { readonly table: T; readonly row: RestoredRow<T> };
}[SnapshotTable];

type RestoredRow<T extends SnapshotTable> = T extends "event"
  ? StoredEvent
  : Rows[T] & Pick<Parsed<T>, "id" & keyof Parsed<T>>;

export interface RestoreOptions {
  readonly renumber: boolean;
  /** The new identity of this database; if absent, the database keeps its own. */
  readonly instanceUid?: string;
}
