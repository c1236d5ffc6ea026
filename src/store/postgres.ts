import type { Client, ClientConfig, CustomTypesConfig } from "pg";
import { errorCode } from "../base/error-code.ts";
import { type Connection, settled } from "./connection.ts";
import { openError } from "./errors.ts";
import { PostgresBackend, type PostgresOptions } from "./postgres-backend.ts";
import { PostgresConnection } from "./postgres-connection.ts";

const OLDEST_POSTGRES = 17;

const INT8 = 20;

/** After this much silence, each side asks whether the other side's machine is still there. */
const KEEPALIVE_S = 30;

export async function openPostgres(options: PostgresOptions): Promise<PostgresBackend> {
  const pg = await import("pg");
  const types: CustomTypesConfig = {
    // Event ids and counts stay far below 2^53, so int8 is parsed to a number here, and only here.
    getTypeParser: (oid: number, format?: "text" | "binary") =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format as "text"),
  };
  const config: ClientConfig = {
    connectionString: options.dsn,
    application_name: "svc",
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_S * 1000,
    types,
    ...{ pipeline: true },
  };
  const backend = new PostgresBackend(
    options,
    async () => await connect(new pg.Client(config), options),
  );
  await requireServer(backend, options.dsn);
  return backend;
}

/** The DSN without user, password and query, for messages (facts cli-and-config 7). */
export function shownDsn(dsn: string): string {
  const url = URL.parse(dsn);
  return url === null ? "postgres://" : `${url.protocol}//${url.host}${url.pathname}`;
}

async function connect(
  client: Client,
  { schema, realTime }: PostgresOptions,
): Promise<PostgresConnection> {
  const connection = new PostgresConnection(client, realTime);
  await connection.open();
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
 * Makes the server notice that this program is gone: a session that nobody can use any more keeps no locks and no
 * snapshot, and its statement ends.
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

async function requireServer(backend: PostgresBackend, dsn: string): Promise<void> {
  let connection: Connection;
  try {
    connection = await backend.writer();
  } catch (error) {
    throw openError(
      "unreachable",
      `${shownDsn(dsn)} ${refusal(error)}`,
      "check the server and [storage] dsn",
      error,
    );
  }
  const { rows } = await connection.execute<{ version: string }>(
    "select current_setting('server_version_num') as version",
    [],
  );
  const major = Math.floor(Number(rows[0]?.version) / 10_000);
  if (major >= OLDEST_POSTGRES) return;
  await backend.close();
  throw openError(
    "unsupported",
    `${shownDsn(dsn)} is PostgreSQL ${major}`,
    `svc needs PostgreSQL ${OLDEST_POSTGRES} or newer`,
  );
}

/** Uses only the error code, since the message may contain credentials. */
function refusal(error: unknown): string {
  const code = errorCode(error) ?? "";
  if (code.startsWith("28")) return "refuses this user or password";
  return code === "3D000" ? "is no database of that server" : "cannot be reached";
}
