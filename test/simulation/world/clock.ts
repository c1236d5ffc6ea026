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
 * How the remains of a dead daemon sleep while they close everything. They no longer follow the time of the world. On
 * SQLite a sleep lasts one turn of the event loop for each ms. With real time, the world would make a different number
 * of turns in each run.
 */
const REMAINS: Readonly<Record<Place["dialect"], Clock["sleep"]>> = {
  sqlite: async (ms, signal) => {
    for (let turn = 0; turn <= ms && signal?.aborted !== true; turn += 1) await yieldToLoop();
  },
  postgres: systemClock.sleep,
};

/**
 * The time that passes in a world, in ms since its beginning. Only the story moves it. Daemons see a `MachineClock`.
 */
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

  /** Returns the sleepers of one life of a daemon, or of a client. */
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

/** Sleeps that last as long as the time of the world says, until `end` is called. */
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

  /** A clock that shows the right time. */
  static right(world: WorldClock): MachineClock {
    return new MachineClock(world, 1, 0);
  }

  /** A clock that is wrong by at most an hour, and at most a twentieth too fast or too slow. */
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

  /** Returns the clock for programs that sleep by these sleepers. It has no effect on the length of the sleeps. */
  seenBy(sleepers: Sleepers): Clock {
    return {
      movesServer: true,
      nowMs: () => this.nowMs,
      now: () => msToInstant(this.nowMs),
      sleep: async (ms, signal) => await sleepers.sleep(ms, signal),
    };
  }
}

/** A real server answers in real time, so sleeps that are shorter than this also use real time. */
const SHORT_MS = 100;

/** The clock by which a daemon limits how long it waits for a server. */
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
