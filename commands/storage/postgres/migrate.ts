import { systemClock } from "../../../src/base/clock.ts";
import { SvcCommand } from "../../../src/cli/base.ts";
import { answer } from "../../../src/cli/output.ts";
import { postgresFlags, postgresOf } from "../../../src/cli/postgres.ts";

export default class StoragePostgresMigrate extends SvcCommand {
  static override summary = "create or upgrade the tables of a PostgreSQL database";
  static override description =
    "For preparing or upgrading a database before daemons start on it. Refused while a daemon of any machine has it open. Everything happens in one transaction; where the tables are up to date already nothing changes.";
  static override flags = postgresFlags;
  static override examples = [
    {
      description: "Prepare a database for the first daemon",
      command: "<%= config.bin %> storage postgres migrate --dsn postgres://localhost/tracker",
    },
    {
      description: "Upgrade the database of your settings",
      command: "<%= config.bin %> daemon stop && <%= config.bin %> storage postgres migrate",
    },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(StoragePostgresMigrate);
    const client = await (await this.session()).client();
    const { requireLocal, requireNoDaemon } = await import("../../../src/cli/storage.ts");
    if (flags.dsn === undefined) requireLocal(client.target);
    const database = postgresOf(client.config, this.surroundings.cwd, flags);
    await requireNoDaemon(database);
    const { migratePostgres } = await import("../../../src/archive/index.ts");
    const { systemIds } = await import("../../../src/base/ids.ts");
    const { timezone } = client.config.settings;
    const { from, to, instanceUid } = await migratePostgres(
      { clock: systemClock, ids: systemIds(), timezone },
      database,
    );
    const body = {
      action: actionOf(from, to),
      database: database.display,
      schema: database.schema,
      from_version: from === 0 ? null : from,
      schema_version: to,
      instance_uid: instanceUid,
    };
    await this.print(
      answer(body),
      async () => (await import("../../../src/cli/render/postgres.ts")).postgresMigratedView,
    );
  }
}

function actionOf(from: number, to: number): "created" | "upgraded" | "unchanged" {
  if (from === 0) return "created";
  return from === to ? "unchanged" : "upgraded";
}
