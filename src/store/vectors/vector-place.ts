import type { Connection } from "../connection.ts";
import type { Restamp, ScoringPlace } from "../types/vectors.ts";

/** Where the tables are: in a file of SQLite, or in the schema of svc on PostgreSQL. */
export interface VectorPlace {
  readonly dialect: "sqlite" | "postgres";
  readonly scoring: ScoringPlace;
  /** Runs `work` on a connection. The caller makes sure that only one work runs at a time. */
  run<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Runs `work` in a transaction, under the conditions of `run`. */
  write<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Called in the transaction before issues are written. Returns those that may be written. */
  lockCurrent<T extends Restamp>(
    connection: Connection,
    issues: readonly T[],
  ): Promise<readonly T[]>;
  /** Called in the transaction of each write that only the elected daemon may make. Throws if it is not this daemon. */
  requireTerm(connection: Connection): Promise<void>;
  /** Called in the transaction that removes rows whose bytes are to be erased, so that a kill cannot come in between. */
  markForErasure(connection: Connection): Promise<void>;
  /** Called after that transaction. */
  removed(): Promise<void>;
  erase(): Promise<void>;
  /** Does nothing if the generation is gone. */
  discard(generation: number): Promise<void>;
  close(): Promise<void>;
}
