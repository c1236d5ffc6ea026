import { type Clock, instantToMs, msToInstant } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Store } from "../store/types.ts";

/** What is configured of backups, and how one is made. */
export interface BackupSettings {
  readonly intervalMs: number;
  /** When the backups that are there were made; whose they are, the folder knows. */
  made(instanceUid: string): Promise<readonly string[]>;
  /** Makes one. It ends with the signal, and leaves nothing half done. */
  run(signal: AbortSignal): Promise<{ readonly path: string; readonly records: number }>;
}

export interface BackupHealth {
  readonly interval: number;
  readonly running: boolean;
  readonly last_at?: string;
  readonly next_at?: string;
  /** Of the last attempt, when it failed. */
  readonly failure?: { readonly at: string; readonly message: string };
}

export interface Backups {
  health(): BackupHealth;
  /** Resolves when no backup is under way any more. */
  stop(): Promise<void>;
}

interface BackupDeps {
  readonly store: Pick<Store, "elect" | "instanceUid">;
  readonly clock: Clock;
  readonly log: Log;
  readonly idle: { beginWork(): (() => void) | undefined } | undefined;
  readonly settings: BackupSettings;
}

/** The requests that the daemon was started for come first. */
const FIRST_MS = 2000;
const RETRY_MS = 600_000;
/** Others may have been elected, or put backups there; and a clock may have been set. */
const LONGEST_MS = 600_000;
const SHORTEST_MS = 1000;
const UNELECTED_MS = 30_000;

/**
 * Backs the database up when the last backup is older than the interval. That one is known by its name in the folder,
 * so neither a restart nor another daemon on the same database makes one too many.
 */
export function startBackups(deps: BackupDeps): Backups {
  const ended = new AbortController();
  const state: State = { running: false };
  const running = run(deps, state, ended.signal);
  return {
    health: () => ({ interval: deps.settings.intervalMs, ...state }),
    stop: async () => {
      ended.abort();
      await running;
    },
  };
}

type State = { -readonly [K in keyof Omit<BackupHealth, "interval">]: BackupHealth[K] };

async function run(deps: BackupDeps, state: State, signal: AbortSignal): Promise<void> {
  const { clock, log } = deps;
  await clock.sleep(FIRST_MS, signal);
  while (!signal.aborted) {
    let due: number | undefined;
    try {
      due = await pass(deps, state, signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn("backup.failed", { error });
      state.failure = { at: clock.now(), message: messageOf(error) };
      due = clock.nowMs() + retryMs(deps.settings);
    }
    if (due === undefined) delete state.next_at;
    else state.next_at = msToInstant(due);
    const wait = due === undefined ? UNELECTED_MS : due - clock.nowMs();
    await clock.sleep(Math.min(Math.max(wait, SHORTEST_MS), LONGEST_MS), signal);
  }
}

/** Answers when the next backup is due, or nothing where this daemon is not the one to make it. */
async function pass(
  deps: BackupDeps,
  state: State,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { store, clock, settings } = deps;
  const last = await lastMade(deps);
  if (last !== undefined) state.last_at = last;
  const from = last === undefined ? clock.nowMs() : instantToMs(last) + settings.intervalMs;
  const failed = state.failure === undefined ? 0 : instantToMs(state.failure.at);
  const due = failed === 0 ? from : Math.max(from, failed + retryMs(settings));
  if (due > clock.nowMs()) return due;
  // Whoever makes it may hang: the next look is soon.
  if ((await store.elect("backups")) === undefined) return undefined;
  return await backUp(deps, state, signal);
}

/** A backup that seems to come from the future says nothing about how old the last one is. */
async function lastMade({ store, clock, settings }: BackupDeps): Promise<string | undefined> {
  const now = clock.now();
  const made = await settings.made(store.instanceUid);
  return made.filter((at) => at <= now).reduce<string | undefined>(later, undefined);
}

function later(a: string | undefined, b: string): string {
  return a === undefined || b > a ? b : a;
}

/** A daemon that is about to end for want of clients is not kept by it: the next one finds the backup due. */
async function backUp(
  deps: BackupDeps,
  state: State,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { clock, log, idle, settings } = deps;
  const end = idle === undefined ? noop : idle.beginWork();
  if (end === undefined) return undefined;
  const began = clock.nowMs();
  state.running = true;
  try {
    const { path, records } = await settings.run(signal);
    state.last_at = clock.now();
    delete state.failure;
    log.info("backup.made", { path, records, ms: clock.nowMs() - began });
    return began + settings.intervalMs;
  } finally {
    state.running = false;
    end();
  }
}

function retryMs({ intervalMs }: BackupSettings): number {
  return Math.min(intervalMs, RETRY_MS);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const noop = (): void => undefined;
