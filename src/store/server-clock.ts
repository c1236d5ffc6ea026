import type { Instant } from "../base/clock.ts";
import type { Connection } from "./connection.ts";

/** Selects the server's time as text, in the format that all tables use for instants. */
const NOW = `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`;

/** The server's time, which its daemons share; undefined on SQLite, where the daemon's clock is used. */
export async function serverNow(connection: Connection): Promise<Instant | undefined> {
  if (connection.dialect === "sqlite") return undefined;
  const { rows } = await connection.execute<{ now: Instant }>(NOW, []);
  return rows[0]?.now;
}
