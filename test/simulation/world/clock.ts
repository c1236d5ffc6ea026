import {
  type Clock,
  instantToMs,
  msToInstant,
  type RealTime,
  systemClock,
} from "../../../src/base/clock.ts";
import { yieldToLoop } from "../../../src/base/yield-to-loop.ts";
import type { Chance } from "../../support/fleet/work.ts";
import type { Order } from "./order.ts";
import type { Place } from "./place.ts";

const BEGIN_MS = instantToMs("2026-01-01T00:00:00.000Z");

/**
 * How the remains of a dead daemon sleep until they have closed all. The time of their world means nothing to them any
 * more. On SQLite they count turns of the event loop, because by real time the world would go on for another number of
 * turns in each run.
 */
const REMAINS: Readonly<Record<Place["dialect"], Clock["sleep"]>> = {
  sqlite: async (ms, signal) => {
    for (let turn = 0; turn <= ms && signal?.aborted !== true; turn += 1) await yieldToLoop();
  },
  postgres: systemClock.sleep,
};

/** The time that passes in a world, in ms since its begin. Only its story moves it, and nobody in the world sees it. */
export class WorldClock {
  readonly #order: Order;
  readonly sleepAfterDeath: Clock["sleep"];
  readonly #asleep = new Set<Sleepers>();
  passedMs = 0;

  constructor(order: Order, dialect: Place["dialect"]) {
    this.#order = order;
    this.sleepAfterDeath = REMAINS[dialect];
  }

  advance(ms: number): void {
    this.passedMs += ms;
    for (const sleepers of this.#asleep) sleepers.passed();
  }

  /** Those who sleep in one life of a daemon, or in a client. */
  sleepers(name: string): Sleepers {
    const sleepers = new Sleepers(this, async () => await this.#order.ready(`${name} wakes up`));
    this.#asleep.add(sleepers);
    return sleepers;
  }

  forget(sleepers: Sleepers): void {
    this.#asleep.delete(sleepers);
  }
}

interface Sleeper {
  readonly due: number;
  readonly signal: AbortSignal | undefined;
  readonly wake: () => void;
}

/** They sleep by the time of the world, until `end`. */
export class Sleepers {
  readonly #world: WorldClock;
  readonly #ready: () => Promise<void>;
  readonly #sleepers = new Set<Sleeper>();
  #isOver = false;

  constructor(world: WorldClock, ready: () => Promise<void>) {
    this.#world = world;
    this.#ready = ready;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (this.#isOver) return await this.#world.sleepAfterDeath(ms, signal);
    if (signal?.aborted) return;
    await new Promise<void>((resolve) => {
      const sleeper = { due: this.#world.passedMs + ms, signal, wake: resolve };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", () => this.#leave(sleeper), { once: true });
    });
  }

  #leave(sleeper: Sleeper): void {
    this.#sleepers.delete(sleeper);
    sleeper.wake();
  }

  passed(): void {
    for (const sleeper of this.#sleepers) {
      if (sleeper.due > this.#world.passedMs) continue;
      this.#sleepers.delete(sleeper);
      void this.#ready().then(sleeper.wake);
    }
  }

  end(): void {
    this.#isOver = true;
    this.#world.forget(this);
    for (const { due, signal, wake } of this.#sleepers)
      void this.#world.sleepAfterDeath(due - this.#world.passedMs, signal).then(wake);
    this.#sleepers.clear();
  }
}

/** The clock of one machine. It was set wrong, and goes a little too fast or too slow. */
export class MachineClock {
  readonly #world: WorldClock;
  readonly #rate: number;
  #offsetMs: number;

  /** A clock that shows the time as it is. */
  static right(world: WorldClock): MachineClock {
    return new MachineClock(world, 1, 0);
  }

  /** A clock of a machine, wrong by at most an hour, and by at most a twentieth in how fast it goes. */
  static wrong(world: WorldClock, chance: Chance): MachineClock {
    const offsetMs = 1000 * (chance.below(2 * 3600 + 1) - 3600);
    return new MachineClock(world, 1 + (chance.below(101) - 50) / 1000, offsetMs);
  }

  private constructor(world: WorldClock, rate: number, offsetMs: number) {
    this.#world = world;
    this.#rate = rate;
    this.#offsetMs = offsetMs;
  }

  get nowMs(): number {
    return this.after(0);
  }

  /** The time that the clock will show after `passingMs` have passed. */
  after(passingMs: number): number {
    const passedMs = this.#world.passedMs + passingMs;
    return BEGIN_MS + this.#offsetMs + Math.floor(passedMs * this.#rate);
  }

  /** Somebody sets the clock, forward or back. */
  jump(ms: number): void {
    this.#offsetMs += ms;
  }

  /** The clock as programs see it that sleep by these sleepers. How long they sleep does not depend on what it shows. */
  seenBy(sleepers: Sleepers): Clock {
    return {
      movesServer: true,
      nowMs: () => this.nowMs,
      now: () => msToInstant(this.nowMs),
      sleep: async (ms, signal) => await sleepers.sleep(ms, signal),
    };
  }
}

/** A server takes its own time, so what lasts less than this is waited for by real time. */
const SHORT_MS = 100;

/** The time by which a daemon limits the answers of a server. */
export function realTimeOf(world: WorldClock, sleepers: Sleepers): RealTime {
  return {
    sleep: async (ms, signal) =>
      await (ms < SHORT_MS ? systemClock.sleep(ms, signal) : sleepers.sleep(ms, signal)),
    stopwatch: () => {
      const begun = world.passedMs;
      return () => world.passedMs - begun;
    },
  };
}
