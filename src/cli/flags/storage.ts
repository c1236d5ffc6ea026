import { existsSync } from "node:fs";
import { LOCAL_HOST } from "../../client/host.ts";
import { ping } from "../../client/ping.ts";
import { addressOf, readRecords } from "../../client/record.ts";
import type { Target } from "../../client/target.ts";
import { type Dsn, parseDsn, requireSafePostgres } from "../../config/dsn.ts";
import type { Config } from "../../config/load.ts";
import { backupsDir, runtimeDir, trialsDir } from "../../config/paths.ts";
import { invalid } from "../../contract/errors.ts";
import { CommandError } from "../failure/failure.ts";

export interface Database {
  readonly dialect: "sqlite" | "postgres";
  readonly dsn: string;
  readonly schema?: string;
  /** The DSN without credentials, for messages. */
  readonly display: string;
  /** The folder in which each daemon that serves the database writes a file with its pid and address. */
  readonly runtimeDir: string;
}

/**
 * The database that a flag names, otherwise the database of the settings (docs/contract/command-line.md#7-postgresql).
 */
export function databaseOf(config: Config, cwd: string, named?: string): Database {
  const { postgresSchema, postgresAllowInsecure } = config.settings;
  const dsn: Dsn = named === undefined ? config.dsn : parseDsn(named, cwd, postgresSchema);
  const place = { display: dsn.display, runtimeDir: runtimeDir(config.home, dsn) };
  if (dsn.dialect === "sqlite") return { dialect: "sqlite", dsn: dsn.path, ...place };
  requireSafePostgres(dsn, postgresAllowInsecure);
  return { dialect: "postgres", dsn: dsn.url, schema: dsn.schema, ...place };
}

export function backupsOf({ home, settings }: Config): string {
  return backupsDir(home, settings.backupDirectory);
}

/** The folder in which backups are tried and the results are stored. */
export function trialsOf({ home }: Config): string {
  return trialsDir(home);
}

export function isThere({ dialect, dsn }: Database): boolean {
  return dialect === "postgres" || existsSync(dsn);
}

/**
 * Refuses a remote daemon for commands that open the database themselves (docs/contract/command-line.md#62-exporting).
 */
export function requireLocal(target: Target): void {
  if (target.kind === "local") return;
  throw invalid(
    `${target.from} selects the daemon at ${target.origin.text}, and this reads a database of this machine`,
    "choose a local daemon, or run it where the database is",
  );
}

/**
 * Throws if a daemon serves the database, because the daemon may read or write it at the same time as the command. This
 * starts and replaces no daemon.
 */
export async function requireNoDaemon(database: Database, instead = ""): Promise<void> {
  if (!(await isServed(database))) return;
  throw new CommandError("conflict", `a daemon is running on ${database.display}`, {
    code: "conflict",
    hint: `stop it first: svc daemon stop${instead === "" ? "" : `, ${instead}`}`,
  });
}

async function isServed({ runtimeDir: folder }: Database): Promise<boolean> {
  for (const record of readRecords(folder)) {
    const host = record.network === "unix" ? LOCAL_HOST : record.address;
    const { state } = await ping(addressOf(record), host);
    if (state === "svc" || state === "silent" || state === "stopping") return true;
  }
  return false;
}
