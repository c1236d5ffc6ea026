import { type Clock, systemClock } from "../../base/clock.ts";
import { invariant } from "../../base/invariant.ts";
import { type Log, silentLog } from "../../base/log.ts";
import type { Lock } from "../../store/lock.ts";
import type { WebOrigin } from "../access/browser.ts";
import type { App } from "../app.ts";
import type { Endpoint } from "../listeners/listeners.ts";
import { socketLost } from "../listeners/socket.ts";
import type { DaemonSettings } from "../settings.ts";
import { acquireDatabase } from "./acquire-database.ts";

/**
 * The app with an open database. It installs no signal handlers and never ends the process; only `main.ts` does that.
 */
export interface RunningApp extends Pick<App, "fetch" | "h3"> {
  /** Resolves when the daemon has stopped, for any reason. */
  readonly stopped: Promise<void>;
  /** Refuses new requests, finishes those that are running, and closes everything. May be called several times. */
  stop(): Promise<void>;
}

export interface Daemon extends RunningApp {
  /** The endpoint that commands on this machine use. */
  readonly endpoint: Endpoint;
  /** All endpoints; `endpoint` is the first. */
  readonly endpoints: readonly Endpoint[];
  /** The origin of the daemon's pages; `undefined` if it serves none. */
  webOrigin(): Promise<WebOrigin | undefined>;
  readonly showCode?: (() => Promise<void>) | undefined;
  /** Reads the certificate's files again, if the daemon has a certificate. */
  reload(): Promise<void>;
}

export async function startDaemon(settings: DaemonSettings): Promise<Daemon> {
  const running = await start(settings);
  const [endpoint] = running.endpoints;
  invariant(endpoint !== undefined, "a daemon listens");
  return { ...running, endpoint };
}

/** Starts a daemon without a listener. The caller passes the requests to it. */
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
 * Locks the database, then loads and starts the parts that answer requests. The lock comes before the loading: if many
 * daemons are started at once, all but one end without much work. The lock is released last.
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
      ...stopHandles(lock, served.stop, served.idle),
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

/** Stops a daemon whose Unix socket has been deleted or replaced, so that the next command can start another. */
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

function stopHandles(
  lock: Lock,
  end: () => Promise<void>,
  idle: Promise<void>,
): Pick<RunningApp, "stop" | "stopped"> {
  const called = Promise.withResolvers<void>();
  const stopped = called.promise.then(end).finally(() => lock.release());
  // Without this, a caller that ignores `stopped` would get an unhandled rejection.
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
