import { openError } from "../errors.ts";
import type { PostgresConnection } from "./connection.ts";

/**
 * Throws if the connections go through a pooler that shares the server's sessions among several clients, such as
 * PgBouncer in transaction or statement mode. svc needs its own sessions, because they hold prepared statements,
 * settings, locks and `listen`.
 *
 * A session that is not shared always has the same backend, and two sessions have different ones. Queries run on the
 * sessions in the order one, two, two, one, so that a pooler that uses its backends in turn is recognized too.
 */
export async function requireOwnSessions(
  shown: string,
  one: PostgresConnection,
  two: PostgresConnection,
): Promise<void> {
  const ones = [await backendOf(one)];
  const twos = [await backendOf(two), await backendOf(two)];
  ones.push(await backendOf(one));
  const all = new Set([...ones, ...twos]);
  if (new Set(ones).size === 1 && new Set(twos).size === 1 && all.size === 2) return;
  throw openError(
    "pooled",
    `${shown} is a pooler that shares the server's sessions among its clients`,
    "svc needs pool_mode=session (PgBouncer) or a direct connection; docs/postgres.md has a configuration",
  );
}

/**
 * Returns the pid of the session's backend. The statement has no values, so it is not prepared. A prepared statement
 * would fail in a shared session.
 */
async function backendOf(connection: PostgresConnection): Promise<number> {
  const { rows } = await connection.execute<{ pid: number }>("select pg_backend_pid() as pid", []);
  return rows[0]?.pid ?? 0;
}
