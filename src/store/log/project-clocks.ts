import { sql } from "kysely";
import { LOCAL_KINDS } from "../../domain/federation/gate.ts";
import { compareClocks, type HybridClock } from "../../domain/order.ts";
import { type Connection, rowsOf } from "../connection.ts";
import { sqlStatement, statement } from "../rows/statement.ts";
import { putRow } from "../rows/table-rows.ts";

/**
 * The clocks of projects that this daemon reads, or has read, from hubs. Such a project has a clock of its own: it
 * follows the clock of its hub, even a very wrong one, and does not move the clocks of other projects.
 * All other projects share the clock in `log_head`. This object belongs to one transaction.
 */
export class ProjectClocks {
  #exist: boolean;
  #known: Map<string, HybridClock> | undefined;
  readonly #changed = new Set<string>();

  constructor(exist: boolean) {
    this.#exist = exist;
  }

  /** Forgets the clocks that were read, since a part of the transaction was undone. */
  forget(): void {
    this.#exist = true;
    this.#known = undefined;
    this.#changed.clear();
  }

  /** Reads the clocks, if there are any. Must come before the other calls. */
  async load(connection: Connection): Promise<void> {
    if (this.#known !== undefined) return;
    const rows = this.#exist ? await clocks.all(connection, {}) : [];
    this.#known = new Map(rows.map(({ project_uid, ...clock }) => [project_uid, clock]));
  }

  /** The own clock of the project. Undefined if the project uses the clock of the database. */
  of(project_uid: string): HybridClock | undefined {
    return this.#known?.get(project_uid);
  }

  /**
   * Gives the project a clock of its own, if it has none: the latest clock of its events so far, even of unsent ones.
   */
  async begin(connection: Connection, project_uid: string): Promise<void> {
    if (this.of(project_uid) !== undefined) return;
    const last = await lastClock.one(connection, { project_uid });
    this.#set(project_uid, last ?? { hlc_physical_ms: 0, hlc_counter: 0 });
  }

  /** Moves the clock of the project forward to this clock, if this clock is later. */
  witness(project_uid: string, { hlc_physical_ms, hlc_counter }: HybridClock): void {
    const clock = { hlc_physical_ms, hlc_counter };
    const known = this.of(project_uid);
    if (known === undefined || compareClocks(known, clock) < 0) this.#set(project_uid, clock);
  }

  #set(project_uid: string, clock: HybridClock): void {
    this.#known ??= new Map();
    this.#known.set(project_uid, clock);
    this.#changed.add(project_uid);
  }

  /** Writes the clocks that have changed. */
  async write(connection: Connection): Promise<void> {
    for (const project_uid of this.#changed) {
      const clock = this.of(project_uid);
      if (clock !== undefined) await putRow(connection, "project_clock", { project_uid, ...clock });
    }
    this.#changed.clear();
  }
}

const COLUMNS = ["project_uid", "hlc_physical_ms", "hlc_counter"] as const;

const clocks = statement((db, _p: Record<never, never>) =>
  db.selectFrom("project_clock").select(COLUMNS),
);

/** The events of these kinds have the clock of the database. */
const LOCAL = sql.join(LOCAL_KINDS.map((kind) => sql.lit(kind)));

const lastClock = sqlStatement<{ readonly project_uid: string }, HybridClock>(
  (p) => sql`select hlc_physical_ms, hlc_counter from event
    where feed_uid = ${p.project_uid} and type not in (${LOCAL})
    order by hlc_physical_ms desc, hlc_counter desc limit 1`,
).map(({ hlc_physical_ms, hlc_counter }) => ({
  hlc_physical_ms: Number(hlc_physical_ms),
  hlc_counter: Number(hlc_counter),
}));

/** Computes the clocks from the log after a restore, for the projects with a baseline of a hub. */
export async function rebuildProjectClocks(connection: Connection): Promise<void> {
  await rowsOf(connection, sql`delete from project_clock`);
  await rowsOf(
    connection,
    sql`insert into project_clock (project_uid, hlc_physical_ms, hlc_counter)
      select e.project_uid, e.hlc_physical_ms, max(e.hlc_counter) from event as e
      join (
        select project_uid, max(hlc_physical_ms) as ms from event
        where type not in (${LOCAL}) and project_uid in (
          select project_uid from event
          where type = 'project.federation_enabled' and hub_event_id is not null)
        group by project_uid
      ) as last on last.project_uid = e.project_uid and last.ms = e.hlc_physical_ms
      where e.type not in (${LOCAL})
      group by e.project_uid, e.hlc_physical_ms`,
  );
}
