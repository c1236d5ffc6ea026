import { hostname } from "node:os";
import { systemClock } from "../base/clock.ts";
import type { Connection } from "./connection.ts";
import type { Selected } from "./schema.ts";
import type { Election, Term } from "./types.ts";

/** A term that is not renewed ends after this time, and another daemon takes the work over. */
const TERM = "10 seconds";
/** Terms are renewed so often, so that one or two renewals may fail. */
const RENEW_MS = 3000;

/** Instants as every table has them, by the clock of the server. */
const AT = `to_char(now, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const UNTIL = `to_char(now + interval '${TERM}', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const CLOCK = "(select clock_timestamp() at time zone 'UTC' as now) as clock";

/** Begins a term where nobody's lasts, and renews one of our own; otherwise no row comes back. */
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

/** With the row locked, so that nobody takes the work over before this transaction ends. */
const HOLDS = `
  select 1 as one from election, ${CLOCK}
  where name = $1 and holder = $2 and term = $3 and until > ${AT} for share of election`;

/** Nobody's: the next daemon need not wait for the end of the term, and was not left in the lurch. */
const RELEASE = "update election set holder = '', until = '' where holder = $1";

type Row = Selected<"election">;

/**
 * Which of the daemons on one PostgreSQL database does a work. A row says whose it is and until when, by the clock of
 * the server; the daemon renews its terms as long as its event loop turns, so one that hangs loses them. Each time
 * that the work changes hands the term gets the next number, and what an engine writes is checked against that number.
 */
export class Elections {
  readonly #session: () => Promise<Connection>;
  readonly #holder: string;
  readonly #seen = new Map<string, Election>();
  readonly #ended = new AbortController();
  #renewing: Promise<void> | undefined;

  constructor(session: () => Promise<Connection>, unique: string) {
    this.#session = session;
    this.#holder = `${hostname()}/${process.pid}/${unique}`;
  }

  /** As this daemon last saw them. */
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
      this.#renewing ??= this.#renew();
      return { name, number: row.term };
    } catch {
      // Who cannot reach the database, or waits for the row too long, does no work on it; the next pass asks again.
      return undefined;
    }
  }

  #electionOf({ name, holder, term, since, until, taken_from }: Row): Election {
    return { name, holder, here: holder === this.#holder, term, since, until, taken_from };
  }

  /** Inside a write: whether the term lasts, and until that write has ended nobody begins the next. */
  async holds(connection: Connection, { name, number }: Term): Promise<boolean> {
    const { rows } = await connection.execute(HOLDS, [name, this.#holder, number]);
    return rows.length > 0;
  }

  async #renew(): Promise<void> {
    // By real time, as the server counts: a clock that a test moves does not end a term.
    for (;;) {
      await systemClock.sleep(RENEW_MS, this.#ended.signal);
      if (this.#ended.signal.aborted) return;
      try {
        await (await this.#session()).execute(RENEW, [this.#holder]);
      } catch {
        // The term goes on for a while; the next renewal may come in time.
      }
    }
  }

  /** Gives the works away, so that others begin at once. */
  async close(): Promise<void> {
    this.#ended.abort();
    await this.#renewing;
    if (this.#renewing === undefined) return;
    try {
      await (await this.#session()).execute(RELEASE, [this.#holder]);
    } catch {
      // They end by themselves.
    }
  }
}

const FIND = "select * from election where name = $1";
