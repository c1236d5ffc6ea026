import type { Log } from "../base/log.ts";
import type { Deps, OpStore } from "../ops/deps.ts";
import { withGuard } from "../ops/guarded.ts";
import { ELECTION_RETRY_MS, TermOver, underTerm } from "../ops/term.ts";
import type { Term } from "../store/types/elections.ts";
import type { Store } from "../store/types/store.ts";
import { type Bulk, type BulkWorker, bulkFor } from "./bulk-write.ts";
import { loggedElect } from "./elections.ts";
import type { HealthBlock } from "./health-block.ts";
import type { Wake } from "./wake.ts";

/**
 * How long to wait after a failed sweep, or after a sweep that was not allowed to begin because the daemon is about to
 * stop.
 */
const RETRY_MS = 30_000;

/** Returned by a sweep when there is nothing left to do. */
export const NEVER = Number.POSITIVE_INFINITY;

/** Work that a daemon does by itself, one sweep after another. All times are in ms. */
export interface Engine {
  readonly name: string;
  /** Delay after the daemon's start, so that the command that started it is answered first. */
  readonly firstMs: number;
  /** True if only one of several daemons on a database may run the engine. */
  readonly elected: boolean;
  /** Time after which a daemon that was not elected tries again to be elected. */
  readonly unelectedMs?: number;
  /** True if idle shutdown waits for a running sweep. After the deadline of idle shutdown, no such sweep begins. */
  readonly delaysIdle?: boolean;
  /** True if a stop does not wait for a running sweep; the sweep ends when the store is closed. */
  readonly endsWithStore?: boolean;
  /** A field in the daemon's health about the engine. */
  readonly health?: HealthBlock;
  /** Ends the wait for the next sweep. */
  readonly wake?: Wake;
  /** Returns the time until the next sweep is due. An engine without this function always has a sweep due. */
  due?(): Promise<number>;
  /** Runs a sweep and returns the time until the next one. */
  sweep(sweep: Sweep): Promise<number>;
  /**
   * Handles the error of a sweep and returns the time until the next one. If it returns `undefined`, the caller logs
   * the error and begins the next sweep after `RETRY_MS`.
   */
  failed?(error: unknown): number | undefined;
}

export interface Sweep {
  /** The store for the sweep. For an elected engine, this store refuses each write after the daemon's term is over. */
  readonly store: OpStore;
  /** Carries out a write that may be large, in the write worker if it is (`bulk-write.ts`). */
  readonly bulk: Bulk;
  /** The number of the election term. `undefined` for an engine that is not elected. */
  readonly term: number | undefined;
  readonly signal: AbortSignal;
}

interface Needs extends Pick<Deps, "clock" | "ids" | "settings"> {
  readonly store: Store;
  readonly log: Log;
  readonly worker?: BulkWorker | undefined;
  /**
   * Delays idle shutdown until the returned function is called; returns `undefined` after the deadline of idle
   * shutdown.
   */
  readonly beginWork: () => (() => void) | undefined;
}

/** Runs each engine on a timer of its own, so that none waits for another. */
export class Engines {
  readonly #deps: Needs;
  readonly #elect: Store["elect"];
  readonly #stopped = new AbortController();
  readonly #engines: Engine[] = [];
  readonly #running: Promise<void>[] = [];

  constructor(deps: Needs) {
    this.#deps = deps;
    this.#elect = loggedElect(deps.store, deps.log);
  }

  start(engine: Engine): void {
    this.#engines.push(engine);
    const running = this.#run(engine);
    if (engine.endsWithStore !== true) this.#running.push(running);
  }

  /** The fields about the engines in the daemon's health, in the order in which the engines started. */
  health(isOwner: boolean): Readonly<Record<string, unknown>> {
    const blocks = this.#engines.flatMap(({ health }) => (health === undefined ? [] : health));
    return Object.fromEntries(blocks.map(({ field, read }) => [field, read(isOwner)]));
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#running);
  }

  async #run(engine: Engine): Promise<void> {
    const { signal } = this.#stopped;
    for (let wait = engine.firstMs; wait !== NEVER; wait = await this.#sweepIfDue(engine)) {
      await this.#sleep(wait, engine.wake);
      if (signal.aborted) return;
    }
  }

  async #sleep(ms: number, wake: Wake | undefined): Promise<void> {
    const { signal } = this.#stopped;
    if (wake === undefined) return await this.#deps.clock.sleep(ms, signal);
    const woken = new AbortController();
    const forget = wake.whileAsleep(() => woken.abort());
    await this.#deps.clock.sleep(ms, AbortSignal.any([signal, woken.signal]));
    forget();
  }

  /**
   * Runs a sweep if one is due, and returns the time until the next one. Never throws: a failed engine runs again
   * later.
   */
  async #sweepIfDue(engine: Engine): Promise<number> {
    // Also if no sweep may begin now. Otherwise the wake would end each wait that follows.
    engine.wake?.taken();
    try {
      const wait = (await engine.due?.()) ?? 0;
      return wait > 0 ? wait : await this.#sweep(engine);
    } catch (error) {
      if (error instanceof TermOver) return ELECTION_RETRY_MS;
      if (this.#stopped.signal.aborted) return NEVER;
      const wait = engine.failed?.(error);
      if (wait === undefined) this.#deps.log.warn(`${engine.name}.sweep_failed`, { error });
      return wait ?? RETRY_MS;
    }
  }

  async #sweep(engine: Engine): Promise<number> {
    const { store, beginWork } = this.#deps;
    const end = engine.delaysIdle === true ? beginWork() : noop;
    if (end === undefined) return RETRY_MS;
    try {
      if (!engine.elected)
        return await engine.sweep(this.#sweepOf(withGuard(store, {}), undefined));
      const term = await this.#elect(engine.name);
      if (term === undefined) return engine.unelectedMs ?? ELECTION_RETRY_MS;
      return await engine.sweep(this.#sweepOf(underTerm(store, term), term));
    } finally {
      end();
    }
  }

  #sweepOf(store: OpStore, term: Term | undefined): Sweep {
    const own = this.#deps.store.elections().find(({ name, here }) => here && name === term?.name);
    const ownTerm = term === undefined ? undefined : { ...term, holder: own?.holder };
    const bulk = bulkFor(this.#deps, store, ownTerm);
    return { store, bulk, term: term?.number, signal: this.#stopped.signal };
  }
}

const noop = (): void => undefined;
