import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Client, openClient } from "../../src/client/client.ts";
import type { Env } from "../../src/config/env.ts";
import { loadConfig } from "../../src/config/load.ts";
import { runtimeDir } from "../../src/config/paths.ts";
import type { DaemonSettings } from "../../src/daemon/settings.ts";
import { type TestDaemon, testDaemon } from "../support/daemon.ts";
import type { StandIn } from "./stand-in.ts";

export const VERSION = "1.2.3";

/** What tests may change of a daemon. */
export type LocalSettings = Pick<
  DaemonSettings,
  "issueSync" | "replicas" | "connectors" | "authentication" | "clock" | "log"
>;

/** A home of its own, the daemons that serve it, and clients that find them as commands do. */
export class Local {
  readonly home: string;
  readonly env: Env;
  readonly #clients: Client[] = [];

  constructor(home: string, env: Env = {}) {
    this.home = home;
    this.env = { PATH: process.env["PATH"], HOME: home, SVC_HOME: home, ...env };
    onTestFinished(async () => {
      for (const client of this.#clients) await client.close();
    });
  }

  async daemon(more: LocalSettings = {}): Promise<TestDaemon> {
    const { dsn } = await loadConfig({ env: this.env, cwd: this.home });
    const folder = runtimeDir(this.home, dsn);
    return await testDaemon({
      folder: this.home,
      runtimeDir: folder,
      socketPath: join(this.home, "s"),
      version: VERSION,
      ...more,
    });
  }

  async client(start = this.home, env: Env = {}): Promise<Client> {
    const program = { version: VERSION, launcher: undefined };
    const client = await openClient({
      program,
      start,
      cwd: this.home,
      env: { ...this.env, ...env },
    });
    this.#clients.push(client);
    return client;
  }

  /** Returns a client of a stand-in on TCP, which SVC_SERVER names. */
  async remoteClient({ address }: StandIn, env: Env = {}): Promise<Client> {
    const port = address.network === "tcp" ? address.port : 0;
    return await this.client(this.home, { SVC_SERVER: `http://127.0.0.1:${port}`, ...env });
  }
}
