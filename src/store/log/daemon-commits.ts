import { randomBytes } from "node:crypto";
import { type Clock, instantToMs, msToInstant } from "../../base/clock.ts";
import { type Connection, settled } from "../connection.ts";

/** Names one commit of one daemon. */
export interface CommitMark {
  readonly daemon: string;
  readonly number: number;
}

/**
 * After this time, the rows of daemons that were killed are removed. Looking for a commit never takes nearly as long.
 */
const KEPT_MS = 24 * 60 * 60 * 1000;

const MARK_SQL = `
  insert into daemon_commit (daemon, number, at) values ($1, $2, $3)
  on conflict (daemon) do update set number = excluded.number, at = excluded.at`;

const REMOVE_OLD = "delete from daemon_commit where at < $1";

/**
 * Finds the mark of a commit. The statement updates the row without changing it, so that this transaction has something
 * to commit. Depending on the server's settings, the commit of this transaction then waits until a standby has the log
 * up to here, including the commit in question.
 */
const FIND_SQL = `
  update daemon_commit set number = number where daemon = $1 and number = $2 returning number`;

const REMOVE_SQL = "delete from daemon_commit where daemon = $1";

/**
 * The commits of one daemon on PostgreSQL. Each transaction writes the number of its commit into the daemon's row of
 * `daemon_commit`, so the row shows whether the transaction was committed. Its events could not show that: some
 * transactions have no events, and a purge by another daemon removes events.
 */
export class DaemonCommits {
  readonly #clock: Clock;
  readonly #daemon = randomBytes(8).toString("hex");
  #last = 0;
  #isMarked = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  next(): CommitMark {
    this.#last += 1;
    return { daemon: this.#daemon, number: this.#last };
  }

  /**
   * Writes the number of the commit. This must be the last statement before `commit`. The caller need not wait for the
   * answer, so it can send `commit` together with this statement.
   */
  async mark(connection: Connection, { daemon, number }: CommitMark): Promise<void> {
    const now = this.#clock.now();
    const old = msToInstant(instantToMs(now) - KEPT_MS);
    const removing = this.#isMarked ? [] : [connection.execute(REMOVE_OLD, [old])];
    await settled([...removing, connection.execute(MARK_SQL, [daemon, number, now])]);
    this.#isMarked = true;
  }

  /**
   * Whether the commit was made. The transaction in question must have ended. So the caller must hold the write lock,
   * and commit afterwards.
   */
  async isMarked(connection: Connection, { daemon, number }: CommitMark): Promise<boolean> {
    const { rows } = await connection.execute(FIND_SQL, [daemon, number]);
    return rows.length > 0;
  }

  async remove(connection: Connection): Promise<void> {
    if (this.#isMarked) await connection.execute(REMOVE_SQL, [this.#daemon]);
  }
}
