import fc from "fast-check";
import { expect } from "vitest";
import { SENT_KINDS } from "../../../src/domain/federation/wire.ts";
import { RandomRun } from "../../support/random-run.ts";
import { type Step, step } from "../../support/random-steps.ts";
import type { OpenTestStore } from "../../support/store.ts";
import { type Happening, happenings, stepsOf, timesUsual } from "./happenings.ts";
import { Machine } from "./machine.ts";
import { Net } from "./net.ts";
import { expectSameRows, expectSound, expectVerified } from "./simulation.ts";
import { Spoke } from "./spoke.ts";
import { WEATHER, type Weather } from "./wire.ts";

const HOUR_MS = 3_600_000;
/** Longer than a spoke can be ahead: steps make its clock go on by days. */
const LONG_MS = 400 * 24 * HOUR_MS;
/** This many passes after the last trouble are enough for every copy. */
const PATIENCE = 30;
const WRONG_CLOCKS = [0, -365 * 24 * HOUR_MS, -HOUR_MS, HOUR_MS, 23 * HOUR_MS, 25 * HOUR_MS];
const WEATHER_OF_WRITERS: readonly Weather[] = [...WEATHER, "refused"];
const SENT: readonly string[] = SENT_KINDS;

/**
 * What happens to the spokes, which write.
 * - `work`: somebody works on a spoke, whether the hub can be reached or not.
 * - `pass`: a spoke sends and reads, in some weather.
 * - `kill`: a spoke is killed during a pass, or the hub while it is asked; then it is started again.
 * - `clock of a spoke`: it is set wrong.
 * - `decide`: somebody decides about a batch that the hub refused.
 */
export interface Work {
  readonly work: "work" | "pass" | "kill" | "clock of a spoke" | "decide";
  readonly at: number;
  readonly value: number;
  readonly steps: readonly Step[];
}

export interface WritersStory {
  readonly seed: number;
  readonly before: readonly Step[];
  readonly all: readonly (Step | Happening | Work)[];
}

const OFTEN = ["work", "work", "work", "pass", "pass"] as const;

export function writersStory(seed: number, length: number): WritersStory {
  const work: fc.Arbitrary<Work> = fc.record({
    work: fc.constantFrom<Work["work"]>(...OFTEN, "kill", "clock of a spoke", "decide"),
    at: fc.nat(10_000),
    value: fc.nat(5),
    steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  });
  const times = timesUsual(length);
  const event = fc.oneof<fc.WeightedArbitrary<Step | Happening | Work>[]>(
    { weight: 1, arbitrary: stepsOf(times) },
    { weight: 1, arbitrary: happenings(times) },
    { weight: 3, arbitrary: work },
  );
  return {
    seed,
    before: fc.sample(step, { seed, numRuns: 30 }),
    all: fc.sample(event, { seed, numRuns: length }),
  };
}

/** A hub and spokes that all write, with their real stores and passes. Only the network and the clocks are made. */
export class Writers {
  readonly #net: Net;
  readonly #hub: Machine;
  readonly #spokes: Spoke[] = [];
  readonly #runs = new Map<Spoke, RandomRun>();

  /** The last of the spokes has a copy of one project, the others of all. */
  static async begin(
    open: OpenTestStore,
    spokes: number,
    { seed, before }: Pick<WritersStory, "seed" | "before">,
  ): Promise<Writers> {
    let hub: Machine | undefined;
    const net = await Net.begin(open, seed, before, async (options) => {
      hub = await Machine.start(open, options);
      return hub.store;
    });
    if (hub === undefined) throw new Error("a net opens the store of its hub");
    const writers = new Writers(net, hub);
    for (let number = 1; number <= spokes; number += 1) {
      const projects = number === spokes ? net.projects.slice(0, 1) : net.projects;
      const spoke = await Spoke.start(open, net.hub, number, projects, { writes: true });
      writers.#spokes.push(spoke);
      for (const project of projects) expectSame(await spoke.join(project), "done");
      await spoke.pass();
    }
    return writers;
  }

  private constructor(net: Net, hub: Machine) {
    this.#net = net;
    this.#hub = hub;
  }

  async go(events: WritersStory["all"]): Promise<void> {
    let quiet: (Step | Happening)[] = [];
    for (const event of events) {
      if (!("work" in event)) {
        quiet.push(event);
        continue;
      }
      await this.#net.go(quiet);
      quiet = [];
      await this.#happens(event);
    }
    await this.#net.go(quiet);
  }

  async #happens({ work, at, value, steps }: Work): Promise<void> {
    const spoke = this.#spokes[at % this.#spokes.length];
    if (spoke === undefined) return;
    switch (work) {
      case "work":
        return await this.#runOf(spoke).steps(steps);
      case "pass":
        return void (await spoke.pass(WEATHER_OF_WRITERS[at % WEATHER_OF_WRITERS.length]));
      case "kill": {
        const machine = at % 3 === 0 ? this.#hub : spoke.machine;
        return await machine.killedDuring(at % 31, async () => await spoke.pass());
      }
      case "clock of a spoke":
        spoke.aheadMs = WRONG_CLOCKS[value % WRONG_CLOCKS.length] ?? 0;
        return;
      case "decide":
        return void (await spoke.decide(value % 2 === 0 ? "retry" : "skip"));
    }
  }

  #runOf(spoke: Spoke): RandomRun {
    const uids = spoke.projects.map(({ uid }) => uid);
    const known = this.#runs.get(spoke) ?? RandomRun.within(spoke.world, uids);
    this.#runs.set(spoke, known);
    return known;
  }

  /** Ends all trouble, and lets every spoke send and read to the end. */
  async settle(): Promise<void> {
    await this.#net.settle();
    // The clocks of all events are then in the past.
    this.#net.hub.clock.advance(LONG_MS);
    for (const spoke of this.#spokes) {
      spoke.aheadMs = 0;
      // Somebody may have archived a copy.
      for (const project of spoke.projects) await spoke.unarchive(project);
    }
    for (let pass = 0; pass < PATIENCE; pass += 1) {
      let isQuiet = true;
      for (const spoke of this.#spokes) {
        const outcomes = await spoke.pass();
        if (await spoke.decide("skip")) isQuiet = false;
        if (outcomes.some((outcome) => outcome !== "current")) isQuiet = false;
      }
      if (isQuiet && pass > 1) return;
    }
  }

  /**
   * Fails unless the log and the tables of every daemon are sound, every copy shows what the hub does, and the hub has every
   * event that a spoke wrote, unless it is named as skipped or is of a purged issue. Returns how many events the hub has.
   */
  async expectAgreement(): Promise<number> {
    await expectSound(this.#hub.store);
    const { known, purged } = await this.#hub.store.read(async ({ events, baselines }) => {
      const all = await events.after(0, 1_000_000);
      const spent = await Promise.all(
        this.#net.projects.map(async ({ uid }) => await baselines.spent(uid)),
      );
      return {
        known: new Set(all.map(({ uid }) => uid)),
        purged: new Set(spent.flatMap(({ purged_uids }) => purged_uids)),
      };
    });
    for (const spoke of this.#spokes) {
      await expectSound(spoke.machine.store);
      for (const outcome of await spoke.pass()) expectSame(outcome, "current");
      await expectSameRows(spoke.machine.store, this.#hub.store, spoke.projects);
      await expectVerified(spoke, spoke.projects);
      const projects = new Set(spoke.projects.map(({ uid }) => uid));
      const own = await spoke.machine.store.read(
        async ({ events }) => await events.after(0, 1_000_000),
      );
      const lost = own.filter(
        ({ uid, type, project_uid, issue_uid = "", origin_instance_uid, skipped_at }) =>
          origin_instance_uid === spoke.machine.store.instanceUid &&
          projects.has(project_uid) &&
          SENT.includes(type) &&
          skipped_at === undefined &&
          !purged.has(issue_uid) &&
          !known.has(uid),
      );
      expectSame(lost, []);
    }
    return known.size;
  }

  async close(): Promise<void> {
    for (const { machine } of this.#spokes) await machine.close();
    await this.#hub.close();
  }
}

function expectSame<T>(found: T, wanted: T): void {
  expect(found).toEqual(wanted);
}
