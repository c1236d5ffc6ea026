import type { DaemonSettings } from "../../../src/daemon/settings.ts";
import type { Connection } from "../../../src/store/connection.ts";

/**
 * What becomes of a commit.
 * - `refused`: it is not made, and a failure says so.
 * - `doubted but not made`: it is not made, and the failure leaves open whether it was.
 * - `doubted but made`: it is made, and the failure leaves open whether it was.
 * - `killed before`: the daemon is killed when it is about to commit.
 * - `killed after`: the daemon is killed when the commit is made, before anybody hears of it.
 * - `silent before`: it is not made, and its answer never comes.
 * - `silent after`: it is made, and its answer never comes.
 */
export const FATES = [
  "refused",
  "doubted but not made",
  "doubted but made",
  "killed before",
  "killed after",
  "silent before",
  "silent after",
] as const;

export type Fate = (typeof FATES)[number];

/** The faults that one life of a daemon, from its start to its end, can suffer from its database. */
export interface Suffering {
  /** Called when the daemon is dead. */
  died(): void;
  /** Called when the daemon begins to answer nobody, until it is killed. */
  freezes(): void;
  /** Waits in the time of the world. */
  wait(ms: number): Promise<void>;
  /** Resolves when the daemon is dead. */
  readonly end: Promise<void>;
}

/** The database and settings that one life of a daemon uses. */
export interface Ground {
  readonly settings: Pick<DaemonSettings, "dsn" | "runtimeDir" | "socketPath">;
  /** Lets the given fate happen to `commit`, which is the commit of the store. */
  commit(
    fate: Fate,
    connection: Connection,
    commit: (connection: Connection) => Promise<void>,
  ): Promise<void>;
  /** Kills the daemon now. Its next life finds the database as it is at this moment. */
  die(): void;
  /** Ends what is left of a dead daemon. `stop` closes what it still has open. */
  bury(stop: () => Promise<void>): Promise<void>;
}

/** A database that daemons serve: several at a time on PostgreSQL, one after another on SQLite. */
export interface Place {
  readonly dialect: "sqlite" | "postgres";
  readonly daemons: number;
  /** Whether leases end by the clock of the server, and not by that of the daemon. */
  readonly hasServerClock: boolean;
  open(suffering: Suffering): Promise<Ground>;
  readonly copies: Copies;
  /** Ends all terms of the engines, as if their time had passed. Absent where there is only one daemon. */
  endTerms?(): Promise<void>;
  /** Ends sessions of daemons, as an administrator of the server does: all of them, or only session number `at`. */
  endSessions?(at?: number): Promise<void>;
  close(): Promise<void>;
}

/** A copy of a database. */
export interface Copies {
  keep(): Promise<void>;
  /** Replaces the database by the copy, if there is one. Only while no daemon serves it. */
  putBack(): Promise<void>;
}
