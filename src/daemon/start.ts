import { type Clock, systemClock } from "../base/clock.ts";
import { type Log, silentLog } from "../base/log.ts";
import type { Lock } from "../store/lock.ts";
import type { App } from "./app.ts";
import { claimDatabase } from "./claim.ts";
import { gate } from "./gate.ts";
import type { Endpoint } from "./listeners.ts";
import { requireLoopback } from "./reach.ts";
import type { DaemonSettings } from "./settings.ts";
import { socketLost } from "./socket.ts";

/** A running daemon. It installs no signal handlers and never ends the process: `main.ts` does. */
export interface Daemon extends Pick<App, "fetch" | "h3"> {
  readonly endpoint: Endpoint;
  /** Resolves when the daemon has stopped, whoever stopped it. */
  readonly stopped: Promise<void>;
  /** Refuses new requests, lets those under way finish and leaves nothing behind. May be called again. */
  stop(): Promise<void>;
}

/**
 * Starts a daemon on one database. It holds the database's lock before it opens anything and gives it back last; what
 * answers requests is loaded only then, so that of many daemons started at once all but one end at little cost.
 */
export async function startDaemon(settings: DaemonSettings): Promise<Daemon> {
  if (settings.listen !== undefined) requireLoopback(settings.listen);
  const clock = settings.clock ?? systemClock;
  const log = settings.log ?? silentLog;
  const lock = await claimDatabase(settings, clock);
  try {
    const { serve } = await import("./serve.ts");
    const served = await serve(settings, lock, clock, log);
    const { endpoint, app } = served;
    const daemon: Daemon = {
      endpoint,
      fetch: app.fetch,
      get h3() {
        return app.h3;
      },
      ...stopping(lock, served.stop, served.idle),
    };
    void stopWhenLost(daemon, clock, log);
    void served.lost.then(async () => await stopLogged(daemon, log));
    return daemon;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** A daemon on a Unix socket that nobody can find any more ends, so that the next command can start another. */
async function stopWhenLost(
  { endpoint: { network, address }, stopped, stop }: Daemon,
  clock: Clock,
  log: Log,
): Promise<void> {
  if (network !== "unix") return;
  const ended = new AbortController();
  void stopped.finally(() => ended.abort()).catch(() => undefined);
  if (!(await socketLost(address, clock, ended.signal))) return;
  log.warn("daemon.socket_lost", { address });
  await stopLogged({ stop }, log);
}

async function stopLogged({ stop }: Pick<Daemon, "stop">, log: Log): Promise<void> {
  await stop().catch((error: unknown) => log.error("daemon.stop_failed", { error }));
}

function stopping(
  lock: Lock,
  end: () => Promise<void>,
  idle: Promise<void>,
): Pick<Daemon, "stop" | "stopped"> {
  const called = gate();
  const stopped = called.open.then(end).finally(() => lock.release());
  // Who does not wait for the end must not be told of its failure as if nobody had handled it.
  stopped.catch(() => undefined);
  void idle.then(called.pass);
  return {
    stopped,
    stop: async () => {
      called.pass();
      await stopped;
    },
  };
}
