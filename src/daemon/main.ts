import { closeSync, writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { systemClock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Config } from "../config/load.ts";
import { addressesWithWarnings, startOf } from "../config/start.ts";
import { SvcError } from "../contract/errors.ts";
import { type LogFiles, openLogs } from "./files/log-file.ts";
import { type Daemon, startDaemon } from "./lifecycle/start.ts";
import type { Endpoint } from "./listeners/listeners.ts";
import { type DaemonSettings, settingsFrom } from "./settings.ts";
import { StartError } from "./start-error.ts";

export interface RunOptions {
  readonly config: Config;
  readonly version: string;
  readonly started?: (address: string) => void;
  /** Called with each warning that the person who starts the daemon should see. */
  readonly note?: (warning: string) => void;
  readonly qr?: boolean;
  /**
   * The file descriptor of a pipe to the client that started this process. The daemon writes to it when it accepts
   * requests.
   */
  readonly ready?: number | undefined;
}

/**
 * Runs a daemon as a process of its own (`svc daemon start --foreground`). Signals stop it, or make it reload its
 * files. The promise resolves when the daemon has ended. Throws a `StartError` if the daemon cannot start.
 */
export async function runDaemon({
  config,
  version,
  started,
  note,
  qr = false,
  ready,
}: RunOptions): Promise<void> {
  // Only the owner may use the database, log, locks and socket, whatever umask the caller has.
  process.umask(0o077);
  const settings = {
    ...settingsFrom(config, version),
    announced: () => tellReady(ready),
    cut: () => void process.kill(process.pid, "SIGKILL"),
  };
  const places = typeof settings.listen === "object" ? settings.listen : [];
  if (qr && places.every((place) => "path" in place))
    throw new StartError("address", "--qr shows the address of a TCP listener, and this is none", {
      hint: "add --listen 127.0.0.1:7777",
    });
  const files = openLogs(settings.runtimeDir);
  const { log } = files;
  try {
    for (const { row, address, warning = "" } of addressesWithWarnings(startOf(config))) {
      note?.(warning);
      log.warn("listener.exposed", { address, row });
    }
    await runLogged(settings, files, async (daemon) => {
      for (const endpoint of daemon.endpoints) started?.(shownAddress(endpoint));
      if (qr) await daemon.showCode?.();
    });
  } catch (error) {
    // A fault that a person can correct needs only its message. A bug also needs its stack, which the log keeps.
    if (!(error instanceof StartError || error instanceof SvcError))
      log.error("daemon.failed", { error });
    throw error;
  } finally {
    files.close();
  }
}

/** Tells the client that started this process that the daemon accepts requests. */
function tellReady(ready: number | undefined): void {
  if (ready === undefined) return;
  try {
    writeSync(ready, "\n");
    closeSync(ready);
  } catch {
    // The client may have ended already. Other clients find the daemon by its record file.
  }
}

async function runLogged(
  settings: DaemonSettings,
  files: LogFiles,
  started: (daemon: Daemon) => Promise<void>,
): Promise<void> {
  const { log, refusals } = files;
  endOnBugs(log);
  const signals = handleSignals(files);
  const daemon = await startDaemon({ ...settings, log, refusals });
  signals.serve(daemon);
  await started(daemon);
  const ended = new AbortController();
  void keepCompiledCode(ended.signal);
  await daemon.stopped;
  ended.abort();
  signals.remove();
}

const FIRST_REQUESTS_MS = 1000;

/**
 * Writes Node's compile cache for the next start, once the first requests are answered. Node itself would write the
 * cache only when the process ends.
 */
async function keepCompiledCode(ended: AbortSignal): Promise<void> {
  await systemClock.sleep(FIRST_REQUESTS_MS, ended);
  flushCompileCache();
}

interface Signals {
  /**
   * Sets the daemon that the signals stop and reload. A signal that came while the daemon started takes effect at once.
   */
  serve(daemon: Pick<Daemon, "stop" | "reload">): void;
  remove(): void;
}

/**
 * The first signal lets the daemon finish its requests, the second one ends the process at once. SIGHUP reopens the log
 * files, so that another program may rotate them, and reads the certificate and the key of the embedding provider
 * again. Signals are handled from the start, because a daemon that is stopped while it starts must also remove its
 * record file.
 */
function handleSignals({ log, reopen }: LogFiles): Signals {
  let [ends, reloads] = [false, false];
  let daemon: Pick<Daemon, "stop" | "reload"> | undefined;
  const end = (signal: NodeJS.Signals): void => {
    log.info("daemon.signal", { signal });
    if (ends) process.exit(1);
    ends = true;
    void daemon?.stop();
  };
  const reload = (): void => {
    reopen();
    log.info("daemon.reloaded");
    reloads = true;
    void daemon?.reload();
  };
  process.on("SIGTERM", end).on("SIGINT", end).on("SIGHUP", reload);
  return {
    serve: (started) => {
      daemon = started;
      if (reloads) void daemon.reload();
      if (ends) void daemon.stop();
    },
    remove: () => process.off("SIGTERM", end).off("SIGINT", end).off("SIGHUP", reload),
  };
}

/**
 * Ends the process after an uncaught error, because the state of the process is then unknown. Acknowledged writes are
 * on disk, the lock is released, and the next command starts another daemon.
 */
function endOnBugs(log: Log): void {
  const end = (error: unknown): never => {
    log.error("daemon.crashed", { error });
    process.exit(1);
  };
  process.on("uncaughtException", end).on("unhandledRejection", end);
}

function shownAddress(endpoint: Endpoint): string {
  const { network, address } = endpoint;
  if (network === "unix") return `unix://${address}`;
  return `${endpoint.certificate === undefined ? "http" : "https"}://${address}`;
}
