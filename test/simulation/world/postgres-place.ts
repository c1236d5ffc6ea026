import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { systemClock } from "../../../src/base/clock.ts";
import { systemIds } from "../../../src/base/ids.ts";
import { parseDsn } from "../../../src/config/dsn.ts";
import type { Connection } from "../../../src/store/connection.ts";
import { openStore } from "../../../src/store/open.ts";
import { type Network, openNetwork } from "../../support/network.ts";
import type { Fate, Ground, Place } from "./place.ts";

/** The text of the statement as it is sent, which no other statement contains. */
const COMMIT = "commit\0";

/** A database of its own on a server, which two daemons serve. Each life of a daemon has a network of its own. */
export class PostgresPlace implements Place {
  readonly dialect = "postgres";
  readonly daemons = 2;
  readonly #folder = mkdtempSync(join(tmpdir(), "svc-world-"));
  readonly #server: string;
  readonly #name: string;
  readonly #grounds: PostgresGround[] = [];
  #admin: Client | undefined;

  /** Copies a database that was migrated once. `server` is the DSN of the server's maintenance database. */
  static async open(server: string): Promise<PostgresPlace> {
    template ??= makeTemplate(server);
    const place = new PostgresPlace(server);
    await run(server, `create database ${place.#name} template ${await template}`);
    place.#admin = new Client({ connectionString: databaseOn(server, place.#name) });
    await place.#admin.connect();
    return place;
  }

  private constructor(server: string) {
    this.#server = server;
    this.#name = `svc_world_${process.pid}_${++made}`;
  }

  async open(died: () => void): Promise<Ground> {
    const network = await openNetwork(databaseOn(this.#server, this.#name));
    const ground = new PostgresGround(
      join(this.#folder, String(this.#grounds.length)),
      network,
      died,
    );
    this.#grounds.push(ground);
    return ground;
  }

  async endTerms(): Promise<void> {
    await this.#admin?.query(
      `update svc.election set until = '2000-01-01T00:00:00.000Z' where until <> ''`,
    );
  }

  async endSessions(): Promise<void> {
    const others = "datname = current_database() and pid <> pg_backend_pid()";
    await this.#admin?.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where ${others}`,
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#grounds.map(async (ground) => await ground.close()));
    await this.#admin?.end();
    await run(this.#server, `drop database ${this.#name} with (force)`);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

class PostgresGround implements Ground {
  readonly settings: Ground["settings"];
  readonly #network: Network;
  readonly #died: () => void;

  constructor(folder: string, network: Network, died: () => void) {
    this.settings = {
      dsn: parseDsn(network.dsn, folder),
      runtimeDir: join(folder, "runtime"),
      socketPath: join(folder, "sockets", "daemon.sock"),
    };
    this.#network = network;
    this.#died = died;
  }

  /** Each fate but a death breaks the connections: a server that refuses a commit would say so on a whole one. */
  async commit(
    fate: Fate,
    connection: Connection,
    commit: (connection: Connection) => Promise<void>,
  ): Promise<void> {
    const isMade = fate === "doubted but made" || fate === "killed after";
    const kills = fate === "killed before" || fate === "killed after";
    // The server learns nothing of a break after the commit, since it might give up the transaction before it.
    const cut = (): void => this.#network.cut(isMade ? "client" : undefined);
    const strike = (): void => (kills ? this.#kill(cut) : cut());
    if (isMade) void this.#network.after("toServer", COMMIT, strike);
    else strike();
    await commit(connection);
  }

  #kill(cut: () => void): void {
    void this.#network.refuse();
    cut();
    this.#died();
  }

  die(): void {
    void this.#network.refuse();
    this.#network.cut();
  }

  /**
   * Nothing that a dead daemon does reaches the server, so nobody waits for it. It may look for its last commit for ten
   * seconds.
   */
  async bury(stop: () => Promise<void>): Promise<void> {
    stop().catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#network.close();
  }
}

function databaseOn(server: string, name: string): string {
  const dsn = new URL(server);
  dsn.pathname = `/${name}`;
  return dsn.href;
}

let made = 0;
let template: Promise<string> | undefined;

/** The template has no instance uid, so that every copy gets its own. */
async function makeTemplate(server: string): Promise<string> {
  const name = `svc_world_template_${process.pid}`;
  await run(server, `create database ${name} template template0`);
  const dsn = databaseOn(server, name);
  const options = { clock: systemClock, ids: systemIds(), timezone: "UTC", schema: "svc" };
  await (await openStore({ ...options, dsn })).close();
  await run(dsn, "delete from svc.meta where key = 'instance_uid'");
  return name;
}

/** Removes the database that places are copied from. */
export async function dropTemplate(server: string): Promise<void> {
  if (template !== undefined) await run(server, `drop database ${await template} with (force)`);
  template = undefined;
}

async function run(dsn: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
