import { instantToMs, msToInstant, stopwatch } from "../base/clock.ts";
import { formatDuration } from "../base/durations.ts";
import type { Log } from "../base/log.ts";
import type { Deps } from "../ops/deps.ts";
import type { Engine } from "./engines.ts";
import { SEE_LOGS_THERE } from "./health-block.ts";

export interface BackupSettings {
  readonly intervalMs: number;
  made(instanceUid: string): Promise<readonly string[]>;
  /** Makes a backup. If the signal is aborted, the backup is cancelled, and no part of it is left. */
  run(signal: AbortSignal): Promise<{ readonly path: string; readonly records: number }>;
}

export interface BackupHealth {
  readonly interval: number;
  readonly running: boolean;
  readonly last_at?: string;
  readonly next_at?: string;
  readonly failure?: { readonly at: string; readonly message: string };
}

export interface Backups extends Engine {
  state(): BackupHealth;
}

interface BackupDeps extends Pick<Deps, "clock"> {
  readonly instanceUid: string;
  readonly log: Log;
  readonly settings: BackupSettings;
}

const RETRY_MS = 600_000;
/**
 * The engine checks at least this often whether a backup is due: another daemon may have made one, or the clock may
 * have been set.
 */
const LONGEST_MS = 600_000;
const SHORTEST_MS = 1000;

type State = { -readonly [K in keyof Omit<BackupHealth, "interval">]: BackupHealth[K] };

/**
 * Makes a backup when the last one is older than the interval. Backups are found by their names in the folder, so a
 * restart or a second daemon on the same database makes no additional backups. Idle shutdown waits for a running
 * backup, but not for one that is due later: the next daemon makes it.
 */
export function backupEngine(deps: BackupDeps): Backups {
  const { clock, log, settings } = deps;
  const state: State = { running: false };
  const retryMs = Math.min(settings.intervalMs, RETRY_MS);
  const waitUntil = (due: number): number => {
    state.next_at = msToInstant(due);
    return Math.min(Math.max(due - clock.nowMs(), SHORTEST_MS), LONGEST_MS);
  };
  const currentHealth = (): BackupHealth => ({ interval: settings.intervalMs, ...state });
  return {
    name: "backups",
    firstMs: 2000,
    elected: true,
    // The time after which a daemon that is not elected asks again to be elected. The elected daemon may have stopped
    // responding.
    unelectedMs: 30_000,
    delaysIdle: true,
    state: currentHealth,
    health: { field: "backup", read: (isOwner) => blockOf(currentHealth(), isOwner) },
    due: async () => {
      const last = await lastMade(deps);
      if (last !== undefined) state.last_at = last;
      const from = last === undefined ? clock.nowMs() : instantToMs(last) + settings.intervalMs;
      const failed = state.failure === undefined ? 0 : instantToMs(state.failure.at) + retryMs;
      const due = Math.max(from, failed);
      const wait = waitUntil(due);
      return due > clock.nowMs() ? wait : 0;
    },
    sweep: async ({ signal }) => {
      const began = clock.nowMs();
      const elapsedMs = stopwatch();
      state.running = true;
      state.next_at = msToInstant(began + settings.intervalMs);
      try {
        const { path, records } = await settings.run(signal);
        state.last_at = clock.now();
        delete state.failure;
        log.info("backup.made", { path, records, ms: elapsedMs() });
        return waitUntil(began + settings.intervalMs);
      } finally {
        state.running = false;
      }
    },
    failed: (error) => {
      log.warn("backup.failed", { error });
      state.failure = { at: clock.now(), message: messageOf(error) };
      return waitUntil(clock.nowMs() + retryMs);
    },
  };
}

function blockOf({ interval, failure, ...rest }: BackupHealth, isOwner: boolean) {
  return {
    ...rest,
    interval: formatDuration(interval),
    ...(failure === undefined
      ? {}
      : { failure: isOwner ? failure : { ...failure, message: SEE_LOGS_THERE } }),
  };
}

/**
 * The time of the last backup. A backup from the future is ignored, since it was made before the clock was set back.
 */
async function lastMade({ instanceUid, clock, settings }: BackupDeps): Promise<string | undefined> {
  const now = clock.now();
  const made = await settings.made(instanceUid);
  return made.filter((at) => at <= now).reduce<string | undefined>(later, undefined);
}

function later(a: string | undefined, b: string): string {
  return a === undefined || b > a ? b : a;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
