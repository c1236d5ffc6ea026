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
import type { Copies, Fate, Ground, Place, Suffering } from "./place.ts";

/** The bytes of the statement as it is sent. No other statement contains them. */
const COMMIT = "commit\0";

/**
 * A database of its own on a server. Two daemons serve the database. Each life of a daemon has a network of its own.
 */
export class PostgresPlace implements Place {
  readonly dialect = "postgres";
  readonly daemons = 2;
  readonly hasServerClock = true;
  readonly #folder = mkdtempSync(join(tmpdir(), "svc-world-"));
  readonly #server: string;
  readonly #name: string;
  readonly #grounds: PostgresGround[] = [];
  #admin: Client | undefined;
  #administered: Promise<void> = Promise.resolve();
  /** The name of the copy. */
  #kept: string | undefined;

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

  /** Waits while the administrator does something that makes the database unreachable. */
  async open(suffering: Suffering): Promise<Ground> {
    await this.#administered;
    const name = `svc_ground_${this.#grounds.length}`;
    const network = await openNetwork(databaseOn(this.#server, this.#name));
    const ended = async (): Promise<void> => await this.#endIdleSessions(name);
    const folder = join(this.#folder, name);
    const ground = new PostgresGround({ name, folder, network, suffering, ended });
    this.#grounds.push(ground);
    return ground;
  }

  /** Ends idle sessions, as the server does if a daemon is silent in a transaction for ten seconds. */
  async #endIdleSessions(name: string): Promise<void> {
    await this.#ask(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = '${name}' and state like 'idle in transaction%'`,
    );
  }

  readonly copies: Copies = {
    keep: async () => {
      await this.#withoutSessions(async () => {
        const copy = `${this.#name}_copy`;
        await run(this.#server, `drop database if exists ${copy}`);
        await run(this.#server, `create database ${copy} template ${this.#name}`);
        this.#kept = copy;
      });
    },
    putBack: async () => {
      const copy = this.#kept;
      if (copy === undefined) return;
      await this.#withoutSessions(async () => {
        await run(this.#server, `drop database ${this.#name} with (force)`);
        await run(this.#server, `create database ${this.#name} template ${copy}`);
      });
    },
  };

  /**
   * A database can be copied only while it has no sessions. So this ends the daemons' sessions, and refuses new ones.
   */
  async #withoutSessions(work: () => Promise<void>): Promise<void> {
    const [server, name] = [this.#server, this.#name];
    await this.#alone(async () => {
      await this.#admin?.end();
      await run(server, `alter database ${name} allow_connections false`);
      await run(
        server,
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
      );
      await work();
      await run(server, `alter database ${name} allow_connections true`);
      this.#admin = new Client({ connectionString: databaseOn(server, name) });
      await this.#admin.connect();
    });
  }

  async #ask(statement: string): Promise<void> {
    await this.#alone(async () => void (await this.#admin?.query(statement)));
  }

  /** Runs the administrator's pieces of work one after the other. */
  async #alone(work: () => Promise<void>): Promise<void> {
    const done = this.#administered.then(work);
    this.#administered = done.catch(() => undefined);
    await done;
  }

  async endTerms(): Promise<void> {
    // One row at a time, since the daemons renew several terms in a different order.
    for (const engine of ["leases", "cron"])
      await this.#ask(
        `update svc.election set until = '2000-01-01T00:00:00.000Z' where until <> '' and name = '${engine}'`,
      );
  }

  async endSessions(at?: number): Promise<void> {
    const one =
      at === undefined ? "" : `and application_name like 'svc_ground_%' offset ${at} limit 1`;
    const others = `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() ${one}`;
    await this.#ask(`select pg_terminate_backend(pid) from (${others}) as found`);
  }

  async close(): Promise<void> {
    await Promise.all(this.#grounds.map(async (ground) => await ground.close()));
    await this.#admin?.end();
    for (const name of [this.#name, this.#kept])
      if (name !== undefined) await run(this.#server, `drop database ${name} with (force)`);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

interface GroundParts {
  /** The name by which the server knows the daemon's sessions. */
  readonly name: string;
  readonly folder: string;
  readonly network: Network;
  readonly suffering: Suffering;
  /** Ends the daemon's sessions that are idle in a transaction. */
  readonly ended: () => Promise<void>;
}

/** How long a silence of the network lasts, in ms. A daemon gives up a session after ten seconds. */
const SILENCE_MS = 25_000;

/** The server ends a session that was idle in a transaction for this long (`idle_in_transaction_session_timeout`). */
const IDLE_MS = 10_000;

class PostgresGround implements Ground {
  readonly settings: Ground["settings"];
  readonly #parts: GroundParts;

  constructor(parts: GroundParts) {
    const { name, folder, network } = parts;
    const dsn = new URL(network.dsn);
    dsn.searchParams.set("application_name", name);
    this.settings = {
      dsn: parseDsn(dsn.href, folder),
      runtimeDir: join(folder, "runtime"),
      socketPath: join(folder, "sockets", "daemon.sock"),
    };
    this.#parts = parts;
  }

  get #network(): Network {
    return this.#parts.network;
  }

  /**
   * A silence leaves the connections open. Every other fate breaks them, because on an open connection, a server that
   * refuses a commit would say so.
   */
  async commit(
    fate: Fate,
    connection: Connection,
    commit: (connection: Connection) => Promise<void>,
  ): Promise<void> {
    if (fate === "silent after" || fate === "silent before")
      return await this.#inSilence(fate, async () => await commit(connection));
    const isMade = fate === "doubted but made" || fate === "killed after";
    const kills = fate === "killed before" || fate === "killed after";
    // If the commit is made, the server must not notice the break: it might roll back before it reads the commit.
    const cut = (): void => this.#network.cut(isMade ? "client" : undefined);
    const strike = (): void => (kills ? this.#kill(cut) : cut());
    if (isMade) void this.#network.after("toServer", COMMIT, strike);
    else strike();
    await commit(connection);
  }

  /** Makes a black hole until the silence is over: no answer comes back, on open connections or on new ones. */
  async #inSilence(
    fate: "silent after" | "silent before",
    commit: () => Promise<void>,
  ): Promise<void> {
    const { network, suffering, ended } = this.#parts;
    const isOver = Promise.race([suffering.wait(SILENCE_MS), suffering.end]);
    void isOver.then(() => network.pass());
    if (fate === "silent after")
      void network.after("toServer", COMMIT, () => network.drop("toClient"));
    else {
      network.drop();
      const isIdle = Promise.race([suffering.wait(IDLE_MS), suffering.end]);
      void isIdle.then(async () => await ended()).catch(() => undefined);
    }
    await commit();
  }

  #kill(cut: () => void): void {
    void this.#network.refuse();
    cut();
    this.#parts.suffering.died();
  }

  die(): void {
    void this.#network.refuse();
    this.#network.cut();
  }

  /**
   * Does not wait for the end, because nothing that a dead daemon does reaches the server. The daemon may look for its
   * last commit for ten seconds.
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
