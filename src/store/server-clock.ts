import type { Instant } from "../base/clock.ts";
import type { Connection } from "./connection.ts";

/** An instant as every table has it. */
const NOW = `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`;

/** The time of the server that several daemons share; undefined on SQLite, where the daemon's own clock counts. */
export async function serverNow(connection: Connection): Promise<Instant | undefined> {
  if (connection.dialect === "sqlite") return undefined;
  const { rows } = await connection.execute<{ now: Instant }>(NOW, []);
  return rows[0]?.now;
}
