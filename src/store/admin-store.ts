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
import type { Store } from "./types.ts";

/** What opening a database did to its tables. */
export interface Upgraded {
  readonly from: number;
  readonly to: number;
  /** Where the database as it was is kept: a file (SQLite) or a schema (PostgreSQL). */
  readonly copy?: string;
}

/** The store as those see it who read or write all of it: export, doctor, restore. */
export interface AdminStore extends Store {
  /** Set when the tables were made by an older svc. */
  readonly upgraded: Upgraded | undefined;
  /**
   * Runs `turn`, in which another connection writes, while no write of this store is under way; those that come wait,
   * or are refused as `busy`. It answers the last event id that it committed, of which the listeners then hear.
   */
  pauseWrites(turn: () => Promise<number | undefined>): Promise<void>;
  /** Throws once a SQLite database's files are no longer the ones that are open, or the daemon's lock is not. */
  requireHeld(): void;
  /** Resolves with the reason when a write or `requireHeld` finds that. */
  readonly lost: Promise<SvcError>;
  /** One coherent state on a connection of its own, for what reads everything (export, doctor). */
  openSnapshot(): Promise<Snapshot>;
  /**
   * Fills the database with rows as they are, in one transaction, and rebuilds from them what is derived: counting
   * and readiness columns, full text, the log's head (last id, clock). Rows come in the order of `RestoreRow`.
   * Without `renumber` the database must be empty (no project, no event: `conflict`) and every id is kept; with it
   * the rows join what is there, their ids and event ids are chosen anew, and a uid that is there already refuses.
   * A link whose ends are not both there is skipped. Answers how many links were skipped.
   */
  restore(
    rows: AsyncIterable<RestoreRow>,
    options: RestoreOptions,
  ): Promise<{ readonly skippedLinks: number }>;
}

type SnapshotTable = FoldedTable | ArchivedTable;

/** What the fold gives and what exports hold. */
export const SNAPSHOT_TABLES: ReadonlySet<SnapshotTable> = new Set([...FOLDED, ...ARCHIVED]);

/** The rows that an export holds, with their local ids and with derived columns, which a restore rebuilds. */
export type SnapshotRows = {
  readonly [T in SnapshotTable]: T extends "event" ? StoredEvent : Parsed<T>;
};

/** `openSnapshot({ dsn, schema })` of store/open.ts opens one without a store: read-only, no migration, no lock. */
export interface Snapshot {
  readonly dialect: "sqlite" | "postgres";
  readonly instanceUid: string;
  readonly schemaVersion: number;
  /** The zone that `ready_from` was computed with. */
  readonly timezone: string;
  /** In id order, tables without id in the order of their key; read in slices of 100, with a turn of the event loop between them. */
  rows<T extends keyof SnapshotRows>(table: T): AsyncIterable<SnapshotRows[T]>;
  /** How many rows all tables have together: for whoever shows how far a reading of everything is. */
  count(): Promise<number>;
  /** The database's own check of itself (`pragma integrity_check`; always empty on PostgreSQL): what it found wrong. */
  integrity(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** What `AdminStore.restore` writes, in the order of `TABLES`: projects first, then what refers to them. */
export type RestoreRow = {
  [T in SnapshotTable]: { readonly table: T; readonly row: RestoredRow<T> };
}[SnapshotTable];

type RestoredRow<T extends SnapshotTable> = T extends "event"
  ? StoredEvent
  : Rows[T] & Pick<Parsed<T>, "id" & keyof Parsed<T>>;

export interface RestoreOptions {
  readonly renumber: boolean;
  /** Becomes this database's identity; its own is kept when absent. */
  readonly instanceUid?: string;
}
