import type { Client, ClientConfig, CustomTypesConfig } from "pg";
import { errorCode } from "../base/error-code.ts";
import type { Connection } from "./connection.ts";
import { openError } from "./errors.ts";
import { PostgresBackend, type PostgresOptions } from "./postgres-backend.ts";
import { PostgresConnection } from "./postgres-connection.ts";

const OLDEST_POSTGRES = 17;

const INT8 = 20;

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
    types,
    ...{ pipeline: true },
  };
  const backend = new PostgresBackend(
    options,
    async () => await connect(new pg.Client(config), options.schema),
  );
  await requireServer(backend, options.dsn);
  return backend;
}

/** The DSN without user, password and query, for messages (facts cli-and-config 7). */
export function shownDsn(dsn: string): string {
  const url = URL.parse(dsn);
  return url === null ? "postgres://" : `${url.protocol}//${url.host}${url.pathname}`;
}

async function connect(client: Client, schema: string): Promise<PostgresConnection> {
  // Make the connection object before connecting, since it listens for errors. Without a listener, a lost connection
  // would end the process.
  const connection = new PostgresConnection(client);
  await client.connect();
  await connection.execute("select set_config('search_path', quote_ident($1), false)", [schema]);
  // A commit must be on disk before it is acknowledged. Stronger settings of the server are kept.
  await connection.execute(
    "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'",
    [],
  );
  return connection;
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
