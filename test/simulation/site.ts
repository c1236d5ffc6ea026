import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DaemonProcess, daemonProcess } from "../support/daemon-process.ts";
import { type Network, openNetwork } from "../support/network.ts";

/** A daemon with its own home, and with its own network to the PostgreSQL server that several daemons share. */
export class Site {
  readonly network: Network;
  readonly #folder = mkdtempSync(join(tmpdir(), "svc-site-"));
  #daemon: DaemonProcess | undefined;

  static async open(dsn: string): Promise<Site> {
    const site = new Site(await openNetwork(dsn));
    await site.start();
    return site;
  }

  private constructor(network: Network) {
    this.network = network;
  }

  /** The socket of the daemon that runs now. */
  get socketPath(): string {
    return this.#running.endpoint.address;
  }

  get #running(): DaemonProcess {
    if (this.#daemon === undefined) throw new Error("the daemon of this site was not started");
    return this.#daemon;
  }

  async start(): Promise<void> {
    const env = { SVC_DSN: this.network.dsn };
    this.#daemon = await daemonProcess({ folder: this.#folder, env });
  }

  /** Ends the daemon by SIGKILL and starts it again. */
  async restart(): Promise<void> {
    await this.#running.end("SIGKILL");
    await this.start();
  }

  async close(): Promise<void> {
    await this.#daemon?.end("SIGKILL");
    await this.network.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
