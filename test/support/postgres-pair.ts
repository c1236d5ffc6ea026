import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { onTestFinished } from "vitest";
import { query } from "./postgres.ts";
import {
  type Installation,
  installPostgres,
  type RunningServer,
  SETTINGS,
} from "./postgres-server.ts";

/** A primary and its standby, each a real server of its own. */
export interface PostgresPair {
  readonly primary: RunningServer;
  readonly standby: RunningServer;
  /** Makes the standby the primary. */
  promote(): Promise<void>;
}

/** Commits are real ones: the standby has them before they are acknowledged. Power cuts are not tested, so no fsync. */
const PAIR = {
  ...SETTINGS,
  synchronous_commit: "on",
  max_connections: "100",
  shared_buffers: "16MB",
};

/** Starts the pair for one test. With `synchronous`, a commit waits for the standby. */
export async function postgresPair({
  synchronous,
}: {
  readonly synchronous: boolean;
}): Promise<PostgresPair> {
  const installation = await installPostgres();
  onTestFinished(() => installation.remove());
  const primary = await started(installation, installation.newData("primary"), PAIR);
  const data = await copyOf(installation, primary);
  const primary_conninfo = `host=127.0.0.1 port=${primary.port} user=svc application_name=standby`;
  const standby = await started(installation, data, { ...PAIR, primary_conninfo });
  if (synchronous)
    await query(
      primary.dsn,
      "alter system set synchronous_standby_names = 'standby'",
      "select pg_reload_conf()",
    );
  await untilStreaming(primary, synchronous ? "sync" : "async");
  return {
    primary,
    standby,
    promote: async () => void (await query(standby.dsn, "select pg_promote(true, 60)")),
  };
}

async function started(
  installation: Installation,
  data: string,
  settings: Readonly<Record<string, string>>,
): Promise<RunningServer> {
  const server = await installation.start(data, settings);
  onTestFinished(async () => await server.end("SIGINT"));
  return server;
}

/** Copies a running server as its handbook says for backups without `pg_basebackup`, and makes the copy a standby. */
async function copyOf({ servers, run }: Installation, primary: RunningServer): Promise<string> {
  const [from, to] = [join(servers, "primary"), join(servers, "standby")];
  const client = new Client({ connectionString: primary.dsn });
  await client.connect();
  try {
    await client.query("select pg_backup_start('standby', true)");
    run("cp", "-R", from, to);
    const { rows } = await client.query<{ labelfile: string }>(
      "select labelfile from pg_backup_stop(false)",
    );
    run(
      "sh",
      "-c",
      `chmod 700 "$0" && rm "$0/postmaster.pid" && touch "$0/standby.signal" "$0/backup_label"`,
      to,
    );
    writeFileSync(join(to, "backup_label"), rows[0]?.labelfile ?? "");
    return to;
  } finally {
    await client.end();
  }
}

async function untilStreaming({ dsn }: RunningServer, state: "sync" | "async"): Promise<void> {
  for (;;) {
    const rows = await query(
      dsn,
      "select sync_state from pg_stat_replication where state = 'streaming'",
    );
    if (rows[0]?.["sync_state"] === state) return;
  }
}
