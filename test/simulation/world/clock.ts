import { type Clock, instantToMs, msToInstant, systemClock } from "../../../src/base/clock.ts";
import type { Order } from "./order.ts";

const BEGIN = "2026-01-01T00:00:00.000Z";

/** The time of a world, which only its story moves. */
export class WorldClock {
  readonly #order: Order;
  readonly #running = new Set<LifeClock>();
  nowMs = instantToMs(BEGIN);

  constructor(order: Order) {
    this.#order = order;
  }

  advance(ms: number): void {
    this.nowMs += ms;
    for (const clock of this.#running) clock.moved();
  }

  /** The clock of one life of a daemon, or of a client. */
  of(name: string): LifeClock {
    const clock = new LifeClock(this, async () => await this.#order.ready(`${name} wakes up`));
    this.#running.add(clock);
    return clock;
  }

  forget(clock: LifeClock): void {
    this.#running.delete(clock);
  }
}

interface Sleeper {
  readonly due: number;
  readonly signal: AbortSignal | undefined;
  readonly wake: () => void;
}

/** After `end`, when the daemon is dead for its world, its remains live on by real time until they have closed all. */
export class LifeClock implements Clock {
  readonly movesServer = true;
  readonly #world: WorldClock;
  readonly #ready: () => Promise<void>;
  readonly #sleepers = new Set<Sleeper>();
  #isOver = false;

  constructor(world: WorldClock, ready: () => Promise<void>) {
    this.#world = world;
    this.#ready = ready;
  }

  nowMs(): number {
    return this.#world.nowMs;
  }

  now(): string {
    return msToInstant(this.nowMs());
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (this.#isOver) return await systemClock.sleep(ms, signal);
    if (signal?.aborted) return;
    await new Promise<void>((resolve) => {
      const sleeper = { due: this.nowMs() + ms, signal, wake: resolve };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", () => this.#leave(sleeper), { once: true });
    });
  }

  #leave(sleeper: Sleeper): void {
    this.#sleepers.delete(sleeper);
    sleeper.wake();
  }

  moved(): void {
    for (const sleeper of this.#sleepers) {
      if (sleeper.due > this.nowMs()) continue;
      this.#sleepers.delete(sleeper);
      void this.#ready().then(sleeper.wake);
    }
  }

  end(): void {
    this.#isOver = true;
    this.#world.forget(this);
    for (const { due, signal, wake } of this.#sleepers)
      void systemClock.sleep(due - this.nowMs(), signal).then(wake);
    this.#sleepers.clear();
  }
}
