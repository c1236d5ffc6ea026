import type { CustomTypesConfig } from "pg";
import { shownConninfo } from "../../base/conninfo.ts";
import { SvcError } from "../../contract/errors.ts";
import { type Connection, settled } from "../connection.ts";
import { driverCodeOf, openError } from "../errors.ts";
import { PostgresBackend, type PostgresOptions } from "./backend.ts";
import { clientConfig, conninfoOf } from "./client.ts";
import { PostgresConnection } from "./connection.ts";
import { PostgresHosts } from "./hosts.ts";
import { requireOwnSessions } from "./pooler.ts";

const OLDEST_POSTGRES = 17;

const INT8 = 20;

/** The error code of a server that is starting, stopping or recovering. */
const STARTING = "57P03";

/** After this many seconds of silence, each side checks whether the other machine still exists. */
const KEEPALIVE_S = 30;

export async function openPostgres(options: PostgresOptions): Promise<PostgresBackend> {
  const conninfo = conninfoOf(options.dsn);
  const hosts = await hostsOf(options);
  let first: PostgresConnection | undefined = await firstConnection(hosts, shownConninfo(conninfo));
  const backend = new PostgresBackend(options, async () => {
    const connection = first ?? (await hosts.connect());
    first = undefined;
    return await prepareConnection(connection, options.schema);
  });
  await backend.writer();
  return backend;
}

type SessionOptions = Pick<PostgresOptions, "dsn" | "schema" | "realTime">;

/** Opens one session in the schema, beside those of the store. The server must be one that the store can use. */
export async function postgresSession(options: SessionOptions): Promise<PostgresConnection> {
  const hosts = await hostsOf(options);
  return await prepareConnection(await hosts.connect(), options.schema);
}

async function hostsOf({ dsn, realTime }: SessionOptions): Promise<PostgresHosts> {
  const conninfo = conninfoOf(dsn);
  const pg = await import("pg");
  const types: CustomTypesConfig = {
    // Event ids and counts stay far below 2^53, so int8 is parsed to a number here, and only here.
    getTypeParser: (oid: number, format?: "text" | "binary") =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format as "text"),
  };
  const fixed = {
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_S * 1000,
    types,
    pipeline: true,
  };
  return new PostgresHosts(conninfo, async (host) => {
    const client = new pg.Client({ ...clientConfig(conninfo, host), ...fixed });
    const connection = new PostgresConnection(client, realTime);
    await connection.open();
    return connection;
  });
}

/** The DSN without user, password and settings, for messages (docs/contract/command-line.md#7-postgresql). */
export function shownDsn(dsn: string): string {
  return shownConninfo(conninfoOf(dsn));
}

async function prepareConnection(
  connection: PostgresConnection,
  schema: string,
): Promise<PostgresConnection> {
  await settled([
    connection.execute("select set_config('search_path', quote_ident($1), false)", [schema]),
    // A commit must be on disk before it is acknowledged. Stronger settings of the server are kept.
    connection.execute(
      "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'",
      [],
    ),
    noticeOurEnd(connection),
  ]);
  return connection;
}

/**
 * Makes the server notice that this program has ended, so that an abandoned session loses its locks and its snapshot,
 * and its statement ends.
 */
async function noticeOurEnd(connection: Connection): Promise<void> {
  await settled([
    connection.execute(
      "select set_config('tcp_keepalives_idle', $1, false), set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '3', false)",
      [String(KEEPALIVE_S)],
    ),
    // A server on Windows refuses this setting.
    connection
      .execute("select set_config('client_connection_check_interval', '5s', false)", [])
      .catch(() => undefined),
  ]);
}

/** Opens the first connection. Throws if svc cannot work with this server, and closes the connection then. */
async function firstConnection(hosts: PostgresHosts, shown: string): Promise<PostgresConnection> {
  const first = await connectToHosts(hosts, shown);
  try {
    await requireVersion(first, shown);
    const second = await secondConnection(hosts, shown);
    try {
      await requireOwnSessions(shown, first, second);
    } finally {
      await second.close();
    }
    return first;
  } catch (error) {
    await first.close();
    throw error;
  }
}

async function secondConnection(hosts: PostgresHosts, shown: string): Promise<PostgresConnection> {
  try {
    return await hosts.connect();
  } catch (error) {
    throw openError(
      "unreachable",
      `${shown} gives svc one session and no second one`,
      "a daemon uses up to 29: raise the size of the pool (default_pool_size), max_connections or the user's limit",
      error,
    );
  }
}

async function connectToHosts(hosts: PostgresHosts, shown: string): Promise<PostgresConnection> {
  try {
    return await hosts.connect();
  } catch (error) {
    if (error instanceof SvcError && String(error.data["reason"]).startsWith("database_"))
      throw error;
    throw openError(
      "unreachable",
      `${shown} ${refusalText(error)}`,
      "check the server and [storage] dsn",
      error,
    );
  }
}

async function requireVersion(connection: PostgresConnection, shown: string): Promise<void> {
  const { rows } = await connection.execute<{ version: string }>(
    "select current_setting('server_version_num') as version",
    [],
  );
  const major = Math.floor(Number(rows[0]?.version) / 10_000);
  if (major >= OLDEST_POSTGRES) return;
  throw openError(
    "unsupported",
    `${shown} is PostgreSQL ${major}, and svc needs ${OLDEST_POSTGRES} or newer`,
    "name another server, or upgrade this one",
  );
}

/** Uses only the error code, since the message may contain credentials. */
function refusalText(error: unknown): string {
  const code = driverCodeOf(error);
  if (code.startsWith("28")) return "refuses this user or password";
  if (code === STARTING) return "is starting and takes no sessions yet";
  if (code === "3D000") return "is no database of that server";
  return code === "unknown" ? "cannot be reached" : `cannot be reached (${code})`;
}
