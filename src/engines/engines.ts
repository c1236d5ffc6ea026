import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { OpStore } from "../ops/deps.ts";
import { guarded } from "../ops/guarded.ts";
import { ELECTION_RETRY_MS, TermOver, underTerm } from "../ops/term.ts";
import type { Store } from "../store/types.ts";
import { loggedElect } from "./elections.ts";

/** After a sweep that failed, or that may not begin because the daemon is about to end. */
const RETRY_MS = 30_000;

/** Answered by a sweep after which there is nothing to do any more. */
export const NEVER = Number.POSITIVE_INFINITY;

/** Work that a daemon does by itself, one sweep after another. Waits are in milliseconds. */
export interface Engine {
  /** As elections, the log and health name it. */
  readonly name: string;
  /** How long after the start of the daemon: the command that started it is answered first. */
  readonly firstMs: number;
  /** Of several daemons on one database only the elected one sweeps. */
  readonly elected: boolean;
  /** How long a daemon that is not elected waits until it asks again. */
  readonly unelectedMs?: number;
  /** Idle shutdown waits for a sweep, and past its deadline none begins. */
  readonly delaysIdle?: boolean;
  /** A stop does not wait for a sweep: it ends when the store is closed. */
  readonly endsWithStore?: boolean;
  /** How long until a sweep is due, asked before each of them. Without it each one is due. */
  due?(): Promise<number>;
  /** Answers how long until the next one. */
  sweep(sweep: Sweep): Promise<number>;
  /** How long until the next one after this fault; `undefined` for a fault that belongs in the log. */
  failed?(error: unknown): number | undefined;
}

/** What a sweep is given. */
export interface Sweep {
  /** For an engine with an election each write is refused once the term is over. */
  readonly store: OpStore;
  /** The number of the term; `undefined` for one without an election. */
  readonly term: number | undefined;
  /** Aborted when the daemon stops. */
  readonly signal: AbortSignal;
}

interface Needs {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Delays idle shutdown until the result is called; `undefined` once its deadline has passed. */
  readonly beginWork: () => (() => void) | undefined;
}

/** Runs each engine by a timer of its own, so that none waits for another. */
export class Engines {
  readonly #deps: Needs;
  readonly #elect: Store["elect"];
  readonly #stopped = new AbortController();
  readonly #running: Promise<void>[] = [];

  constructor(deps: Needs) {
    this.#deps = deps;
    this.#elect = loggedElect(deps.store, deps.log);
  }

  start(engine: Engine): void {
    const running = this.#run(engine);
    if (engine.endsWithStore !== true) this.#running.push(running);
  }

  /** Resolves when no sweep is under way any more. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#running);
  }

  async #run(engine: Engine): Promise<void> {
    const { signal } = this.#stopped;
    for (let wait = engine.firstMs; wait !== NEVER; wait = await this.#sweepIfDue(engine)) {
      await this.#deps.clock.sleep(wait, signal);
      if (signal.aborted) return;
    }
  }

  /** Never fails: whatever goes wrong, the engine goes on. */
  async #sweepIfDue(engine: Engine): Promise<number> {
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
    const { signal } = this.#stopped;
    const end = engine.delaysIdle === true ? beginWork() : noop;
    if (end === undefined) return RETRY_MS;
    try {
      if (!engine.elected)
        return await engine.sweep({ store: guarded(store, {}), term: undefined, signal });
      const term = await this.#elect(engine.name);
      if (term === undefined) return engine.unelectedMs ?? ELECTION_RETRY_MS;
      return await engine.sweep({ store: underTerm(store, term), term: term.number, signal });
    } finally {
      end();
    }
  }
}

const noop = (): void => undefined;
