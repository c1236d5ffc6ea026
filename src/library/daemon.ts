import type { H3 } from "h3";
import { processFolder } from "../config/env.ts";
import { type Config, loadConfig } from "../config/load.ts";
import * as daemon from "../daemon/index.ts";
import { ownPackage } from "./package.ts";
import { type Place, placeEnv } from "./place.ts";

export { StartError } from "../daemon/start-error.ts";

export interface DaemonOptions extends Place {
  /** `unix:///path/to/socket`, or an address such as `127.0.0.1:7777`; default: the socket of the home. */
  readonly listen?: string;
}

/** The daemon's HTTP app, running in this process. */
export interface App {
  /** Answers a request from this process, without a network. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The h3 app, to mount in another h3 or Nitro server: `server.mount("/tracker", app.h3)`. */
  readonly h3: H3;
  /** Resolves when the app has stopped, for whatever reason. */
  readonly stopped: Promise<void>;
  /** Refuses new requests, waits for running ones, and closes the database. */
  readonly stop: () => Promise<void>;
}

export interface Daemon extends App {
  readonly endpoint: { readonly network: "unix" | "tcp"; readonly address: string };
}

/** Starts a daemon in this process that commands and other clients can find. Throws `StartError` if it cannot start. */
export async function startDaemon(options: DaemonOptions = {}): Promise<Daemon> {
  return await startApp(options, daemon.startDaemon);
}

/**
 * Starts the daemon's HTTP app without a listener: pass requests to its `fetch`, or mount its `h3` in another server.
 * Throws `StartError` if it cannot start.
 */
export async function createApp(options: Place = {}): Promise<App> {
  return await startApp(options, daemon.startApp, withoutAddresses);
}

async function startApp<T extends Pick<App, "stopped">>(
  options: DaemonOptions,
  start: (settings: daemon.DaemonSettings) => Promise<T>,
  adapted: (config: Config) => Config = (config) => config,
): Promise<T> {
  const { listen } = options;
  const flags = listen === undefined ? {} : { listen };
  const loaded = await loadConfig({ env: placeEnv(options), cwd: processFolder(), flags });
  const config = adapted(loaded);
  const program = ownPackage();
  const settings = daemon.settingsFrom(config, program.version, program);
  const { log, refusals, close } = daemon.openLogs(settings.runtimeDir);
  try {
    const running = await start({ ...settings, log, refusals });
    void running.stopped.catch(() => undefined).finally(close);
    return running;
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Removes the addresses, `PORT` included, from the settings. The server that mounts the app listens, so these addresses
 * must not prevent the start.
 */
function withoutAddresses(config: Config): Config {
  return { ...config, settings: { ...config.settings, listen: undefined, port: undefined } };
}
