import type { Instant } from "../../base/clock.ts";
import type { Connection } from "../connection.ts";

/** SQL for the server's time, as a timestamp in UTC. */
export const SERVER_TIME = "clock_timestamp() at time zone 'UTC'";

/** SQL that writes a timestamp in UTC in the format that all tables use for instants. */
export const instantSql = (timestamp: string): string =>
  `to_char(${timestamp}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const NOW_SQL = `select ${instantSql(SERVER_TIME)} as now`;

/** The server's time, which its daemons share; undefined on SQLite, where the daemon's clock is used. */
export async function serverNow(connection: Connection): Promise<Instant | undefined> {
  if (connection.dialect === "sqlite") return undefined;
  const { rows } = await connection.execute<{ now: Instant }>(NOW_SQL, []);
  return rows[0]?.now;
}
