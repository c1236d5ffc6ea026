import { hostname } from "node:os";
import { systemClock } from "../../base/clock.ts";
import type { Elector } from "../backend.ts";
import type { Connection } from "../connection.ts";
import type { Selected } from "../schema.ts";
import type { Election, Term } from "../types/elections.ts";
import { instantSql, SERVER_TIME } from "./server-clock.ts";

/** A term ends if it is not renewed for this time. Another daemon can then take over the engine. */
const TERM = "10 seconds";
/** The pause between renewals, short enough that one or two failed renewals do not end a term. */
const RENEW_MS = 3000;

/** SQL for the server's time. */
const AT = instantSql("now");
/** SQL for the end of a term that starts now. */
const UNTIL = instantSql(`now + interval '${TERM}'`);
const CLOCK = `(select ${SERVER_TIME} as now) as clock`;

/** Begins a term when none is running, or renews this daemon's own. Returns no row when another daemon has the term. */
const ELECT = `
  insert into election as held (name, holder, term, since, until, taken_from)
  select $1, $2, 1, ${AT}, ${UNTIL}, null from ${CLOCK}
  on conflict (name) do update set
    holder = excluded.holder,
    until = excluded.until,
    term = case when held.holder = excluded.holder and held.until > excluded.since then held.term else held.term + 1 end,
    since = case when held.holder = excluded.holder and held.until > excluded.since then held.since else excluded.since end,
    taken_from = case
      when held.holder = excluded.holder and held.until > excluded.since then held.taken_from
      when held.holder in ('', excluded.holder) then null
      else held.holder end
  where held.holder = excluded.holder or held.until <= excluded.since
  returning *`;

const RENEW = `
  update election set until = ${UNTIL} from ${CLOCK}
  where holder = $1 and until > ${AT} returning name, term`;

/** Finds a term that is still valid and locks its row, so that no other daemon takes it before the transaction ends. */
const HOLDS = `
  select 1 as one from election, ${CLOCK}
  where name = $1 and holder = $2 and term = $3 and until > ${AT} for share of election`;

/**
 * Clears the holder, so that the next daemon begins its term at once. The new term then has no `taken_from`; otherwise
 * `taken_from` would name this daemon as failed.
 */
const RELEASE = "update election set holder = '', until = '' where holder = $1";

type Row = Selected<"election">;

/** Whether the term still lasts. If it does, no other daemon can begin one before the transaction ends. */
export async function holdsTerm(
  connection: Connection,
  { name, number, holder = "" }: Term,
): Promise<boolean> {
  const { rows } = await connection.execute(HOLDS, [name, holder, number]);
  return rows.length > 0;
}

/**
 * Elects the daemon that runs an engine when several share one PostgreSQL database. A row stores the holder and the end
 * of its term by the server's clock. A daemon renews its terms from its event loop, so a daemon that hangs loses them.
 * Each change of holder increases the term number, and writes of an engine are checked against it.
 */
export class Elections implements Elector {
  readonly #session: () => Promise<Connection>;
  readonly #holder: string;
  readonly #seen = new Map<string, Election>();
  readonly #ended = new AbortController();
  #renewing: Promise<void> | undefined;

  constructor(session: () => Promise<Connection>, unique: string) {
    this.#session = session;
    this.#holder = `${hostname()}/${process.pid}/${unique}`;
  }

  seen(): readonly Election[] {
    return [...this.#seen.values()];
  }

  async elect(name: string): Promise<Term | undefined> {
    if (this.#ended.signal.aborted) return undefined;
    try {
      const session = await this.#session();
      const { rows } = await session.execute<Row>(ELECT, [name, this.#holder]);
      const [row] = rows.length > 0 ? rows : (await session.execute<Row>(FIND, [name])).rows;
      if (row === undefined) return undefined;
      const election = this.#electionOf(row);
      this.#seen.set(name, election);
      if (!election.here) return undefined;
      this.#renewing ??= this.#renewTerms();
      return { name, number: row.term };
    } catch {
      // The database is unreachable or the row is locked for too long. So this daemon does not run the engine until the
      // next sweep asks again.
      return undefined;
    }
  }

  #electionOf({ name, holder, term, since, until, taken_from }: Row): Election {
    return { name, holder, here: holder === this.#holder, term, since, until, taken_from };
  }

  async resign(name: string): Promise<void> {
    if (this.#seen.get(name)?.here !== true) return;
    try {
      await (await this.#session()).execute(`${RELEASE} and name = $2`, [this.#holder, name]);
      this.#seen.delete(name);
    } catch {
      // This daemon keeps renewing the term until it resigns again or ends.
    }
  }

  async holds(
    connection: Connection,
    { name, number, holder = this.#holder }: Term,
  ): Promise<boolean> {
    return await holdsTerm(connection, { name, number, holder });
  }

  async #renewTerms(): Promise<void> {
    // Sleep in real time, since the server ends terms by its own clock and not by a test's fake clock.
    for (;;) {
      await systemClock.sleep(RENEW_MS, this.#ended.signal);
      if (this.#ended.signal.aborted) return;
      try {
        await (await this.#session()).execute(RENEW, [this.#holder]);
      } catch {
        // A later renewal may succeed before the term ends.
      }
    }
  }

  /** Releases the terms, so that other daemons start at once. */
  async close(): Promise<void> {
    this.#ended.abort();
    await this.#renewing;
    if (this.#renewing === undefined) return;
    try {
      await (await this.#session()).execute(RELEASE, [this.#holder]);
    } catch {
      // Terms that were not released end by themselves.
    }
  }
}

const FIND = "select * from election where name = $1";
