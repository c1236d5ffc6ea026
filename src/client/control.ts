import { type Clock, systemClock } from "../base/clock.ts";
import { parseHostPort } from "../config/addresses.ts";
import type { Config } from "../config/load.ts";
import { localAddress } from "../config/start.ts";
import { SvcError } from "../contract/errors.ts";
import { UnavailableError } from "../shared/answer-errors.ts";
import { requireFolders } from "./autostart.ts";
import { shownAddress } from "./daemon-identity.ts";
import { daemonsOf } from "./daemons.ts";
import { discover, noAnswerError, type Search, searchFor } from "./discovery.ts";
import { endByForce } from "./force.ts";
import { healthOf } from "./health.ts";
import { daemonOfOtherHome } from "./other-home.ts";
import { daemonEnv, type Program } from "./program.ts";
import { isAlive, type RuntimeRecord, recordKey, signal } from "./record.ts";
import { type SpawnOptions, type StartedChild, spawnDaemon } from "./spawn.ts";

export interface StartResult {
  readonly action: "started" | "already_running" | "replaced";
  readonly pid: number;
  readonly replaced_pid?: number;
  readonly address: string;
  readonly db_path: string;
  /**
   * The copy of the database that the daemon made before it upgraded the tables: a path (SQLite) or a schema
   * (PostgreSQL).
   */
  readonly kept_old?: string;
}

export interface StopResult {
  readonly stopped: boolean;
  readonly pids: readonly number[];
  /** The pids of the processes that had to be killed. */
  readonly killed?: readonly number[];
}

export interface RestartResult extends StopResult {
  readonly action: "restart";
  readonly pid: number;
  readonly address: string;
  readonly db_path: string;
}

/** A background start has failed if nothing answers after this time (docs/contract/command-line.md#28-the-daemon). */
const START_MS = 5_000;
const START_POLL_MS = 10;
/** How long to wait for a daemon to stop. It is longer than the time that a stopping daemon gives its open requests. */
const STOP_MS = 30_000;
const STOP_POLL_MS = 20;

/**
 * Starts a daemon that does not end when idle. Keeps a running daemon, unless it would end when idle because a command
 * started it. Such a daemon is replaced (docs/contract/command-line.md#28-the-daemon).
 */
export async function startInBackground(
  config: Config,
  program: Program,
  clock: Clock = systemClock,
): Promise<StartResult> {
  const search = searchFor(config, program.version, { clock });
  const running = (await discover(search)) ?? (await inOtherHome(config, search));
  if (running === undefined) return await start("started", config, program, search);
  if (await endsByItself(running)) {
    await terminate(running, clock);
    search.dismissed.add(recordKey(running));
    const started = await start("replaced", config, program, search);
    return { ...started, replaced_pid: running.pid };
  }
  requireAsked(running, config);
  return startedAs("already_running", running, config);
}

export async function stopDaemon(
  config: Config,
  { force = false }: { readonly force?: boolean } = {},
  clock: Clock = systemClock,
): Promise<StopResult> {
  const pids: number[] = [];
  const killed: number[] = [];
  for (const { record, state } of await daemonsOf(config)) {
    if (!force && state === "silent") throw noAnswerError(record);
    if (!force) await terminate(record, clock);
    else if (await endByForce(record, state, clock)) killed.push(record.pid);
    pids.push(record.pid);
  }
  return { stopped: pids.length > 0, pids, ...(killed.length === 0 ? {} : { killed }) };
}

export async function restartDaemon(
  config: Config,
  program: Program,
  clock: Clock = systemClock,
): Promise<RestartResult> {
  const stopped = await stopDaemon(config, {}, clock);
  const search = searchFor(config, program.version, { clock });
  const { pid, address, db_path } = await start("started", config, program, search);
  return { action: "restart", ...stopped, pid, address, db_path };
}

async function start(
  action: StartResult["action"],
  config: Config,
  { launcher }: Program,
  search: Search,
): Promise<StartResult> {
  if (launcher === undefined) throw new UnavailableError("this program cannot start a daemon");
  const { clock } = search;
  requireFolders(config.home, search.runtimeDir);
  const deadline = clock.nowMs() + START_MS;
  const child = await spawnDaemon(config, launcher, search.runtimeDir, lastingOptions(config));
  for (;;) {
    const record = await discover(search);
    if (record !== undefined) return startedAs(action, record, config);
    const ended = child.ended();
    if (ended !== undefined && ended.code !== 0)
      throw notStarted("the daemon did not start", child);
    const other = ended && (await inOtherHome(config, search));
    if (other !== undefined) return startedAs("already_running", other, config);
    if (clock.nowMs() >= deadline)
      throw notStarted("the daemon did not answer within 5 seconds", child);
    await clock.sleep(START_POLL_MS, child.news.aborted ? undefined : child.news);
  }
}

/**
 * Finds the daemon of another home that prevents a start.
 * - A SQLite database has only one daemon, so a daemon of any home prevents the start.
 * - A PostgreSQL database may have several daemons, but only one of them has the database's socket. This daemon
 *   prevents the start, unless `--listen` names a local address: the new daemon then does not use the socket.
 */
async function inOtherHome(config: Config, search: Search): Promise<RuntimeRecord | undefined> {
  const { settings, dsn } = config;
  const elsewhere = localAddress(settings, askedAddresses(config)) !== undefined;
  if (dsn.dialect === "postgres" && elsewhere) return undefined;
  return await daemonOfOtherHome(config, search);
}

/**
 * The options for a daemon that does not end when idle. With `SVC_AUTOSTART` it would end when idle, so the variable is
 * left out.
 */
function lastingOptions(config: Config): SpawnOptions {
  const { SVC_AUTOSTART: _mark, ...env } = daemonEnv(config);
  return { env, args: flagsOf(config) };
}

function flagsOf(config: Config): readonly string[] {
  const listen = askedAddresses(config);
  return [
    ...(listen.length === 0 ? [] : ["--listen", listen.join(",")]),
    ...(config.settings.insecureReadonly ? ["--insecure-readonly"] : []),
  ];
}

function askedAddresses({ settings, sources }: Config): readonly string[] {
  return sources.listen === "flag" ? (settings.listen ?? []) : [];
}

function startedAs(
  action: StartResult["action"],
  record: RuntimeRecord,
  { dsn }: Config,
): StartResult {
  const kept = record.metadata?.kept_before_upgrade;
  const old = action === "already_running" || kept === undefined ? {} : { kept_old: kept };
  return { action, pid: record.pid, address: shownAddress(record), db_path: dsn.display, ...old };
}

/** Sends SIGTERM and waits until the daemon has ended. The daemon answers its open requests before it ends. */
async function terminate({ pid, address }: RuntimeRecord, clock: Clock): Promise<void> {
  const deadline = clock.nowMs() + STOP_MS;
  signal(pid, "SIGTERM");
  while (isAlive(pid)) {
    if (clock.nowMs() >= deadline) {
      throw new UnavailableError(
        `the daemon (pid ${pid}) at ${address} did not end within 30 seconds`,
        {
          hint: `end it with svc daemon stop --force (pid ${pid}); what it acknowledged is on disk`,
        },
      );
    }
    await clock.sleep(STOP_POLL_MS);
  }
}

async function endsByItself(record: RuntimeRecord): Promise<boolean> {
  return "idle_shutdown" in (await healthOf(record));
}

/** Throws if the running daemon has other addresses or another mode than the flags require. */
function requireAsked(record: RuntimeRecord, config: Config): void {
  const { pid, metadata } = record;
  const readonly = !config.settings.insecureReadonly || metadata?.mode === "readonly";
  if (readonly && askedAddresses(config).every((address) => listensOn(record, address))) return;
  const message = readonly
    ? `the daemon (pid ${pid}) already listens on ${shownAddress(record)}`
    : `the daemon (pid ${pid}) already runs, and not as --insecure-readonly`;
  const hint = `svc daemon restart ${flagsOf(config).join(" ")}`;
  throw new SvcError("conflict", {}, { message, hint });
}

/**
 * Whether the daemon listens on an address of `--listen`. The listener for pages does not count, because it does not
 * answer other programs.
 */
function listensOn(record: RuntimeRecord, listen: string): boolean {
  const listeners = (record.metadata?.listeners ?? [])
    .filter(({ kind }) => kind !== "browser")
    .map(({ address }) => address);
  const requested = parseHostPort(listen);
  return [shownAddress(record), ...listeners].some((address) => {
    if (listen === address) return true;
    return requested?.port === 0 && requested.host === parseHostPort(address)?.host;
  });
}

function notStarted(what: string, child: StartedChild): UnavailableError {
  const tail = child.logTail();
  return new UnavailableError(tail === "" ? what : `${what}; it said:\n${tail}`, {
    hint: "svc daemon start --foreground shows more",
  });
}
