import { type Clock, systemClock } from "../base/clock.ts";
import { invariant } from "../base/invariant.ts";
import { type Log, silentLog } from "../base/log.ts";
import type { Lock } from "../store/lock.ts";
import { acquireDatabase } from "./acquire-database.ts";
import type { App } from "./app.ts";
import type { WebOrigin } from "./browser.ts";
import type { Endpoint } from "./listeners.ts";
import type { DaemonSettings } from "./settings.ts";
import { socketLost } from "./socket.ts";

/** The app with an open database. It installs no signal handlers and never ends the process; `main.ts` does. */
export interface RunningApp extends Pick<App, "fetch" | "h3"> {
  /** Resolves when the daemon has stopped, for whatever reason. */
  readonly stopped: Promise<void>;
  /** Refuses new requests, finishes running ones and closes everything. May be called again. */
  stop(): Promise<void>;
}

export interface Daemon extends RunningApp {
  /** The endpoint that commands on this machine use. */
  readonly endpoint: Endpoint;
  /** All endpoints; `endpoint` is the first. */
  readonly endpoints: readonly Endpoint[];
  /** Where the daemon's pages are; `undefined` if it serves none. */
  webOrigin(): Promise<WebOrigin | undefined>;
  readonly showCode?: (() => Promise<void>) | undefined;
  /** Reads the files of the certificate again, if the daemon has one. */
  reload(): Promise<void>;
}

export async function startDaemon(settings: DaemonSettings): Promise<Daemon> {
  const running = await start(settings);
  const [endpoint] = running.endpoints;
  invariant(endpoint !== undefined, "a daemon listens");
  return { ...running, endpoint };
}

/** Starts a daemon without a listener; the caller hands over the requests. */
export async function startApp(settings: DaemonSettings): Promise<RunningApp> {
  const {
    endpoints: _none,
    showCode: _code,
    webOrigin: _origin,
    reload: _reload,
    ...running
  } = await start({ ...settings, listen: "none" });
  return running;
}

type Started = RunningApp & Pick<Daemon, "endpoints" | "showCode" | "reload" | "webOrigin">;

/**
 * Locks the database, then loads and starts what answers requests. Loading comes after the lock, so that of many
 * daemons started at once all but one end at little cost. The lock is released last.
 */
async function start(settings: DaemonSettings): Promise<Started> {
  const clock = settings.clock ?? systemClock;
  const log = settings.log ?? silentLog;
  const lock = await acquireDatabase(settings, clock);
  try {
    const { serve } = await import("./serve.ts");
    const served = await serve(settings, lock, clock, log);
    const { endpoints, app } = served;
    const daemon: Started = {
      endpoints,
      showCode: served.showCode,
      webOrigin: served.webOrigin,
      reload: served.reload,
      fetch: app.fetch,
      h3: app.h3,
      ...stopping(lock, served.stop, served.idle),
    };
    for (const { network, address } of endpoints)
      if (network === "unix") void stopWhenLost(address, daemon, clock, log);
    void served.lost.then(async () => await stopLogged(daemon, log));
    return daemon;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Stops a daemon whose Unix socket is lost, so that the next command can start another. */
async function stopWhenLost(
  address: string,
  { stopped, stop }: Started,
  clock: Clock,
  log: Log,
): Promise<void> {
  const ended = new AbortController();
  void stopped.finally(() => ended.abort()).catch(() => undefined);
  if (!(await socketLost(address, clock, ended.signal))) return;
  log.warn("daemon.socket_lost", { address });
  await stopLogged({ stop }, log);
}

async function stopLogged({ stop }: Pick<RunningApp, "stop">, log: Log): Promise<void> {
  await stop().catch((error: unknown) => log.error("daemon.stop_failed", { error }));
}

function stopping(
  lock: Lock,
  end: () => Promise<void>,
  idle: Promise<void>,
): Pick<RunningApp, "stop" | "stopped"> {
  const called = Promise.withResolvers<void>();
  const stopped = called.promise.then(end).finally(() => lock.release());
  // A caller that ignores `stopped` must not get an unhandled rejection.
  stopped.catch(() => undefined);
  void idle.then(called.resolve);
  return {
    stopped,
    stop: async () => {
      called.resolve();
      await stopped;
    },
  };
}
