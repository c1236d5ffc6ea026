import type { Connection } from "../connection.ts";
import { LOCKS, writeLockName } from "./locks.ts";

/** The session that has the write lock of a database, as its server sees it. */
export interface WritingSession {
  readonly pid: number;
  /** The address of its program; null on a Unix socket. */
  readonly client: string | null;
  /** Whether the session is running a statement now, or only keeps its transaction open. */
  readonly working: boolean;
  /** How long its transaction has lasted, in seconds. */
  readonly seconds: number;
}

/**
 * Finds out which session is writing to a database, by a query on a session that does nothing. Returns `undefined` if
 * none is.
 */
export async function writingOn(
  connection: Connection,
  schema: string,
): Promise<WritingSession | undefined> {
  const lock = [LOCKS, writeLockName(schema)];
  return (await connection.execute<WritingSession>(WRITING_SESSIONS_SQL, lock)).rows[0];
}

/** Describes the session by what the server knows about it. */
export function sessionText({ pid, client }: WritingSession): string {
  return `the session ${pid} of ${client ?? "the server's own machine"}`;
}

const WRITING_SESSIONS_SQL = `
  select a.pid, host(a.client_addr) as client,
    coalesce(a.state, 'active') not like 'idle%' as working,
    coalesce(extract(epoch from clock_timestamp() - a.xact_start)::int, 0) as seconds
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.granted and l.objsubid = 2
    and l.database = (select oid from pg_database where datname = current_database())
    and l.classid::bigint = $1 and l.objid::bigint = hashtext($2)::bigint & 4294967295
  limit 1`;
