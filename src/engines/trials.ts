import { type Instant, instantToMs, msToInstant, stopwatch } from "../base/clock.ts";
import { formatDuration } from "../base/durations.ts";
import { lastPart } from "../base/last-part.ts";
import type { Log } from "../base/log.ts";
import type { Deps } from "../ops/deps.ts";
import type { Engine } from "./engines.ts";
import { SEE_LOGS_THERE } from "./health-block.ts";

/** The result of the last trial of a backup. A trial restores the backup into a scratch database. */
export interface TrialFound {
  readonly path: string;
  readonly at: Instant;
  readonly ok: boolean;
  readonly message?: string;
}

export interface TrialSettings {
  readonly intervalMs: number;
  /** The folder of the backups. */
  readonly folder: string;
  /** The path of the newest backup. */
  newest(instanceUid: string): Promise<string | undefined>;
  /**
   * Returns the result of the last trial on this machine. It may be from before a restart, or from a person's command.
   */
  last(instanceUid: string): Promise<TrialFound | undefined>;
  /** Tries the newest backup. Throws if it cannot be restored. */
  run(signal: AbortSignal): Promise<void>;
}

export interface TrialHealth {
  readonly interval: number;
  readonly running: boolean;
  readonly state: "ok" | "failed" | "unknown";
  readonly file?: string;
  readonly at?: Instant;
  readonly message?: string;
  readonly next_at?: Instant;
}

export interface Trials extends Engine {
  state(): TrialHealth;
}

interface TrialDeps extends Pick<Deps, "clock"> {
  readonly instanceUid: string;
  readonly log: Log;
  readonly settings: TrialSettings;
}

interface State {
  running: boolean;
  found?: TrialFound | undefined;
  newest?: string | undefined;
  nextMs?: number;
}

const RETRY_MS = 3_600_000;
/**
 * The engine checks at least this often whether a trial is due, because a person may have made one or set the clock.
 */
const LONGEST_MS = 600_000;
const NO_BACKUP_MS = 60_000;
const SHORTEST_MS = 1000;

/**
 * Tries the newest backup if the last trial is older than the interval. After a failure, tries again after at most an
 * hour, and as soon as there is a newer backup.
 */
export function trialEngine({ clock, instanceUid, log, settings }: TrialDeps): Trials {
  const state: State = { running: false };
  const checkForTrial = async (): Promise<void> => {
    // A full disk can prevent that a failure is stored. Such a failure is known only in memory.
    state.found = latestTrial(clock.now(), await settings.last(instanceUid), state.found);
    state.newest = await settings.newest(instanceUid);
  };
  const dueMs = (): number => {
    const { found, newest } = state;
    if (found === undefined) return clock.nowMs();
    if (!found.ok && found.path !== newest) return clock.nowMs();
    const wait = found.ok ? settings.intervalMs : Math.min(settings.intervalMs, RETRY_MS);
    return instantToMs(found.at) + wait;
  };
  const waitUntil = (due: number): number => {
    state.nextMs = due;
    return Math.min(Math.max(due - clock.nowMs(), SHORTEST_MS), LONGEST_MS);
  };
  const currentHealth = (): TrialHealth => ({
    interval: settings.intervalMs,
    running: state.running,
    ...foundOut(state.found),
    ...(state.found === undefined && state.newest === undefined
      ? { message: `there is no backup of this database in ${settings.folder} yet` }
      : {}),
    ...(state.nextMs === undefined ? {} : { next_at: msToInstant(state.nextMs) }),
  });
  return {
    name: "trials",
    firstMs: 3000,
    elected: true,
    unelectedMs: 30_000,
    delaysIdle: true,
    state: currentHealth,
    health: { field: "backup_verification", read: (isOwner) => blockOf(currentHealth(), isOwner) },
    due: async () => {
      await checkForTrial();
      if (state.newest === undefined) return NO_BACKUP_MS;
      const due = dueMs();
      const wait = waitUntil(due);
      return due > clock.nowMs() ? wait : 0;
    },
    sweep: async ({ signal }) => {
      const [path, began, elapsedMs] = [state.newest ?? "", clock.nowMs(), stopwatch()];
      state.running = true;
      state.nextMs = began + settings.intervalMs;
      try {
        await settings.run(signal);
        await checkForTrial();
        log.info("backup.tried", { path: state.found?.path ?? path, ms: elapsedMs() });
        return waitUntil(began + settings.intervalMs);
      } catch (error) {
        if (signal.aborted) throw error;
        state.found = { path, at: clock.now(), ok: false, message: messageOf(error) };
        log.warn("backup.trial_failed", { path, error });
        return waitUntil(dueMs());
      } finally {
        state.running = false;
      }
    },
  };
}

function blockOf({ interval, file, message, ...rest }: TrialHealth, isOwner: boolean) {
  return {
    ...rest,
    interval: formatDuration(interval),
    ...(file === undefined ? {} : { file: isOwner ? file : lastPart(file) }),
    ...(message === undefined ? {} : { message: isOwner ? message : SEE_LOGS_THERE }),
  };
}

/** Returns the later of two results. Ignores a result from the future, because the clock was set back after it. */
function latestTrial(
  now: Instant,
  a: TrialFound | undefined,
  b: TrialFound | undefined,
): TrialFound | undefined {
  const [first] = [a, b]
    .filter((found) => found !== undefined && found.at <= now)
    .sort((x, y) => ((x?.at ?? "") < (y?.at ?? "") ? 1 : -1));
  return first;
}

function foundOut(found: TrialFound | undefined): Omit<TrialHealth, "interval" | "running"> {
  if (found === undefined) return { state: "unknown" };
  const { path: file, at, ok, message } = found;
  return { state: ok ? "ok" : "failed", file, at, ...(message === undefined ? {} : { message }) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
