import { type RawBuilder, sql } from "kysely";
import type { Rows } from "../../domain/tables/tables.ts";
import { type Connection, rowsOf } from "../connection.ts";
import { putRow, removeRow } from "../rows/table-rows.ts";
import { NO_CHAIN } from "./chain.ts";

type Gap = Rows["log_gap"];

interface EventToPurge {
  readonly id: number;
  readonly chain: string;
  /** The event before this one; null if this is the first event of the log. */
  readonly before_id: number | null;
  readonly before_chain: string | null;
}

/**
 * Records the chain before and after each run of events that are about to be deleted. Must be called before events are
 * deleted. Without this record, the log would look as if somebody had manipulated it. `doomed` is the condition that
 * selects the events.
 */
export async function noteGaps(connection: Connection, doomed: RawBuilder<unknown>): Promise<void> {
  const events = await rowsOf<EventToPurge>(
    connection,
    sql`select e.id, e.chain, p.id as before_id, p.chain as before_chain
      from (select id, chain from event ${doomed}) as e
      left join event as p on p.id = (select max(id) from event where id < e.id)
      order by e.id`,
  );
  for (const run of runsOf(events)) await noteGap(connection, run);
}

/** Groups the events: within a run, each is the direct predecessor of the next. */
function* runsOf(events: readonly EventToPurge[]): Generator<readonly EventToPurge[]> {
  let run: EventToPurge[] = [];
  for (const event of events) {
    if (run.length > 0 && event.before_id !== run.at(-1)?.id) {
      yield run;
      run = [];
    }
    run.push(event);
  }
  if (run.length > 0) yield run;
}

/** Records one gap. Earlier gaps inside the run or next to it are merged with it. */
async function noteGap(connection: Connection, run: readonly EventToPurge[]): Promise<void> {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) return;
  const inside = await rowsOf<Gap>(
    connection,
    sql`select * from log_gap where before_id >= ${first.id} and before_id <= ${last.id}`,
  );
  for (const gap of inside) await removeRow(connection, "log_gap", gap);
  const behind = inside.find(({ before_id }) => before_id === last.id);
  await putRow(connection, "log_gap", {
    before_id: first.before_id ?? 0,
    before_chain: first.before_chain ?? NO_CHAIN,
    last_id: behind?.last_id ?? last.id,
    last_chain: behind?.last_chain ?? last.chain,
  });
}

/**
 * Returns the chain from which the next event after `event` is computed: that of the gap after the event, or else the
 * event's own chain.
 */
export async function chainBehind(
  connection: Connection,
  event: { readonly id: number; readonly chain: string } | undefined,
): Promise<string> {
  const [gap] = await rowsOf<Gap>(
    connection,
    sql`select * from log_gap where before_id = ${event?.id ?? 0}`,
  );
  return gap?.last_chain ?? event?.chain ?? NO_CHAIN;
}
