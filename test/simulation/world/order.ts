import type { Scheduler } from "fast-check";
import type { Chance } from "../../support/fleet/work.ts";

/** Lets running work continue for a number of turns before the next piece of work is chosen. */
export type Turns = (count: number) => Promise<void>;

/** The order of everything in a world that is ready to happen: the seed decides what happens next. */
export class Order {
  readonly #scheduler: Scheduler;
  readonly chance: Chance;
  readonly #turns: Turns;
  readonly #mostMoments: number;
  #moments = 0;
  readonly #tooLong = Promise.withResolvers<void>();

  constructor(scheduler: Scheduler, chance: Chance, turns: Turns, mostMoments: number) {
    this.#scheduler = scheduler;
    this.chance = chance;
    this.#turns = turns;
    this.#mostMoments = mostMoments;
  }

  /** Resolves when it is the turn of this piece of work. */
  async ready(label: string): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve(), label, undefined, async (run) => {
      await run();
      await this.pause();
    });
  }

  /** Waits a few turns. Otherwise the next piece of work would reach the daemon before it has begun with this one. */
  async pause(): Promise<void> {
    await this.#go(this.chance.below(4));
  }

  /** Lets the world continue until the promise has settled. */
  async until<T>(settled: Promise<T>): Promise<T> {
    return await this.#scheduler.waitFor(settled);
  }

  /** The names of the steps that have run, in their order. */
  get happened(): readonly string[] {
    return this.#scheduler.report().map(({ label }) => label);
  }

  async rest(turns = 8): Promise<void> {
    await this.#go(turns);
  }

  /** How many times the world has continued. */
  get moments(): number {
    return this.#moments;
  }

  /** Resolves after `mostMoments` moments. From then on, nothing happens in the world any more. */
  get tooLong(): Promise<void> {
    return this.#tooLong.promise;
  }

  async #go(turns: number): Promise<void> {
    this.#moments += 1;
    if (this.#moments > this.#mostMoments) {
      this.#tooLong.resolve();
      await new Promise(() => undefined);
    }
    await this.#turns(turns);
  }
}
