import { PostgresCommand, postgresFlags } from "../../../src/cli/bases/postgres-command.ts";
import { examples } from "../../../src/cli/flags/flags.ts";
import { answer } from "../../../src/cli/output/output.ts";

export default class StoragePostgresStatus extends PostgresCommand {
  static override summary = "show the state of a PostgreSQL database and what to do next";
  static override description =
    "Connects to the server directly, without a daemon, and writes nothing. The exit code is 1 if the server cannot be reached or refuses the login.";
  static override flags = postgresFlags;
  static override examples = examples({
    "Before the first daemon starts":
      "svc storage postgres status --dsn postgres://localhost/tracker",
    "The database of your settings, for a script": "svc storage postgres status --json",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(StoragePostgresStatus);
    const { database } = await this.database(flags);
    const { postgresState } = await import("../../../src/archive/index.ts");
    const state = await postgresState(database);
    const body = {
      database: database.display,
      schema: database.schema,
      server_version: state.serverVersion,
      tables: state.tables,
      schema_version: state.schemaVersion ?? null,
      required_version: state.requiredVersion,
      instance_uid: state.instanceUid ?? null,
      in_use: state.inUse,
      copies: state.copies,
    };
    await this.print(answer(body), "postgres", ({ postgresStatusView }) => postgresStatusView);
  }
}
