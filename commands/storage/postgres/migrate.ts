import { systemClock } from "../../../src/base/clock.ts";
import { PostgresCommand, postgresFlags } from "../../../src/cli/bases/postgres-command.ts";
import { examples, onOffFlag } from "../../../src/cli/flags/flags.ts";
import { requireNoDaemon } from "../../../src/cli/flags/storage.ts";
import { answer } from "../../../src/cli/output/output.ts";

export default class StoragePostgresMigrate extends PostgresCommand {
  static override summary = "create or upgrade the tables of a PostgreSQL database";
  static override description =
    "For preparing or upgrading a database before daemons start on it. Refused while a daemon of any machine has it open. Everything happens in one transaction; if the tables are up to date, nothing changes. Tables of an older svc are first copied into a separate schema, which the output names; if there is no room or no permission for the copy, nothing is upgraded.";
  static override flags = {
    ...postgresFlags,
    copy: onOffFlag(
      "copy older tables first; --no-copy upgrades without (pg_dump them yourself)",
      true,
    ),
  };
  static override examples = examples({
    "Prepare a database for the first daemon":
      "svc storage postgres migrate --dsn postgres://localhost/tracker",
    "Upgrade the database of your settings": "svc daemon stop && svc storage postgres migrate",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(StoragePostgresMigrate);
    const { config, database } = await this.database(flags);
    await requireNoDaemon(database);
    const { migratePostgres } = await import("../../../src/archive/index.ts");
    const { systemIds } = await import("../../../src/base/ids.ts");
    const { timezone } = config.settings;
    const { from, to, instanceUid, copy } = await migratePostgres(
      { clock: systemClock, ids: systemIds(), timezone, copy: flags.copy },
      database,
    );
    const body = {
      action: actionOf(from, to),
      database: database.display,
      schema: database.schema,
      from_version: from === 0 ? null : from,
      schema_version: to,
      instance_uid: instanceUid,
      kept_old: copy ?? null,
    };
    this.changedNothing = body.action === "unchanged";
    await this.print(answer(body), "postgres", ({ postgresMigratedView }) => postgresMigratedView);
  }
}

function actionOf(from: number, to: number): "created" | "upgraded" | "unchanged" {
  if (from === 0) return "created";
  return from === to ? "unchanged" : "upgraded";
}
