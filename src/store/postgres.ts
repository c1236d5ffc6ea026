import type { Client, ClientConfig, CustomTypesConfig } from "pg";
import type { Connection } from "./connection.ts";
import { openError } from "./errors.ts";
import { PostgresBackend, type PostgresOptions } from "./postgres-backend.ts";
import { PostgresConnection } from "./postgres-connection.ts";

export const OLDEST_POSTGRES = 17;

const INT8 = 20;

export async function openPostgres(options: PostgresOptions): Promise<PostgresBackend> {
  const pg = await import("pg");
  const types: CustomTypesConfig = {
    // Ids stay far below 2^53, so int8 is read as a number; nowhere else is it converted.
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

/** What is shown of a DSN: neither user nor query (facts cli-and-config 7). */
export function shownDsn(dsn: string): string {
  const url = URL.parse(dsn);
  return url === null ? "postgres://" : `${url.protocol}//${url.host}${url.pathname}`;
}

async function connect(client: Client, schema: string): Promise<PostgresConnection> {
  // It listens for the loss of the connection, which without a listener would end the process.
  const connection = new PostgresConnection(client);
  await client.connect();
  await connection.execute("select set_config('search_path', quote_ident($1), false)", [schema]);
  // A commit is acknowledged when it is on disk; a stronger setting of the server stays.
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

/** By the server's code alone: its message can hold what was given. */
function refusal(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code.startsWith("28")) return "refuses this user or password";
  return code === "3D000" ? "is no database of that server" : "cannot be reached";
}
