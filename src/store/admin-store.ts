import type { SvcError } from "../contract/errors.ts";
import type { StoredEvent } from "../contract/events.ts";
import {
  ARCHIVED,
  type ArchivedTable,
  FOLDED,
  type FoldedTable,
  type Rows,
} from "../domain/tables/tables.ts";
import type { CommitProof } from "./backend.ts";
import type { Connection } from "./connection.ts";
import type { Parsed } from "./schema.ts";
import type { LogHead } from "./types/events.ts";
import type { Store } from "./types/store.ts";

/** Describes the upgrade of a database that an older svc made. */
export interface UpgradeResult {
  readonly from: number;
  readonly to: number;
  /** The copy of the database from before the upgrade: a file path (SQLite) or a schema name (PostgreSQL). */
  readonly copy?: string;
}

/** A `Store` with the further operations that export, doctor and restore need. */
export interface AdminStore extends Store {
  /** Undefined when the tables already had the newest schema version. */
  readonly upgraded: UpgradeResult | undefined;
  /**
   * Runs `work` while no write of this store runs, so that another connection can write. Until `work` ends, new writes
   * wait, or are refused with `busy` after some time. `work` returns the last event id that it committed, if any, and
   * the store passes this id to the commit listeners.
   */
  pauseWrites(work: () => Promise<number | undefined>): Promise<void>;
  /**
   * Whether a transaction of another store of this process was committed. That transaction must have ended
   * (`Backend.hasCommitted`).
   */
  hasCommitted(proof: CommitProof): Promise<boolean>;
  /**
   * Throws when the path of a SQLite database no longer leads to the open files, or the daemon has lost its lock file.
   */
  requireHeld(): void;
  /** Resolves with the reason as soon as a write or `requireHeld` finds that the files or the lock are lost. */
  readonly lost: Promise<SvcError>;
  /**
   * Resolves when all commits that a reader of this process can have seen are on the disk. A caller that reads on a
   * connection of its own calls this before it passes on what it has read.
   */
  synced(): Promise<void>;
  /** Opens a snapshot on its own connection, so that a long read (export, doctor) delays no other work. */
  openSnapshot(): Promise<Snapshot>;
  /**
   * Inserts the rows of an export in one transaction, then computes what depends on them: counts, the columns of
   * readiness, the full-text index, the last event id and the clock.
   *
   * - `rows` must come in the order of `TABLES`.
   * - Without `renumber`, each row keeps its id. A database that has a project or an event already is refused
   *   (`conflict`).
   * - With `renumber`, each row gets a new id. A uid that the database has already is refused.
   * - A link whose issue is missing is left out and counted in the result.
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

/** A consistent view of the database for a long read. `openSnapshot` in store/open.ts opens one without a store. */
export interface Snapshot {
  readonly dialect: "sqlite" | "postgres";
  readonly instanceUid: string;
  readonly schemaVersion: number;
  /**
   * The time zone for planning dates that have no zone of their own. `ready_from` (when a scheduled issue becomes
   * ready) was computed with it.
   */
  readonly timezone: string;
  /**
   * Yields the rows in the order of their ids, or of their keys in tables without ids. Reads 100 rows at a time and
   * lets the event loop run in between.
   */
  rows<T extends keyof SnapshotRows>(
    table: T,
    /** Begins after the row with this id. */
    after?: { readonly id: number },
  ): AsyncIterable<SnapshotRows[T]>;
  /** A connection that reads the same state, for queries that no `Reader` has. */
  readonly connection: Connection;
  /** The number of rows in these tables, by default in all tables of a snapshot. */
  count(tables?: Iterable<SnapshotTable>): Promise<number>;
  /** The end of the log. */
  readonly head: LogHead;
  /** The faults that `pragma integrity_check` reports; always empty on PostgreSQL. */
  integrity(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * One row of the input of `AdminStore.restore`. The input is in the order of `TABLES`, so each row comes after the rows
 * that it refers to.
 */
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
