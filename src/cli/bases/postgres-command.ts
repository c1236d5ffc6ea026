import type { InferredFlags } from "@oclif/core/interfaces";
import type { Config } from "../../config/load.ts";
import { invalid } from "../../contract/errors.ts";
import { usage } from "../failure/failure.ts";
import { textFlag } from "../flags/flags.ts";
import { type Database, databaseOf, requireLocal } from "../flags/storage.ts";
import { OfflineCommand } from "./offline-command.ts";

export const postgresFlags = {
  dsn: textFlag(
    "the server and database; default those of your settings (SVC_DSN)",
    "<postgres://…>",
  ),
  schema: textFlag(
    "the schema that holds the tables; default that of your settings, or svc",
    "<name>",
  ),
};

type NamedPostgres = InferredFlags<typeof postgresFlags>;

type PostgresDatabase = Database & { readonly schema: string };

/** Base of commands that open a PostgreSQL database. If no flag names the database, the settings name it. */
export abstract class PostgresCommand extends OfflineCommand {
  protected async database(named: NamedPostgres) {
    const { config, target } = await (await this.session()).selection();
    if (named.dsn === undefined) requireLocal(target);
    return { config, database: postgresOf(config, this.context.cwd, named) };
  }
}

/** The maximum length of a PostgreSQL identifier in bytes. PostgreSQL cuts longer identifiers without an error. */
const MAX_NAME_BYTES = 63;

/** Errors never repeat the DSN, which can contain a password. */
function postgresOf(config: Config, cwd: string, named: NamedPostgres): PostgresDatabase {
  const schema = named.schema ?? config.settings.postgresSchema;
  refuseSchema(schema);
  const own = config.dsn.dialect === "postgres" ? config.dsn.url : undefined;
  const settings = { ...config.settings, postgresSchema: schema };
  const database = databaseOf({ ...config, settings }, cwd, named.dsn ?? own);
  if (database.dialect === "postgres") return { ...database, schema };
  throw usage(
    named.dsn === undefined
      ? "your settings name a SQLite database, and this is about PostgreSQL"
      : "--dsn names a SQLite database, and this is about PostgreSQL",
    "give --dsn postgres://host/database, or set SVC_DSN; a SQLite database is upgraded when its daemon starts",
  );
}

function refuseSchema(schema: string): void {
  const bytes = Buffer.byteLength(schema);
  if (bytes > 0 && bytes <= MAX_NAME_BYTES && !schema.startsWith("pg_") && !schema.includes("\0"))
    return;
  throw invalid(
    "that is no name for a schema",
    `1 to ${MAX_NAME_BYTES} bytes, and PostgreSQL keeps names with pg_ for itself; the default is svc`,
  );
}
