import { expect } from "vitest";
import { examineStorage } from "../../../src/archive/doctor.ts";
import { verifyFederationReplica } from "../../../src/contract/federation-verify.ts";
import { comparisonOf } from "../../../src/ops/federation/comparison.ts";
import type { AdminStore } from "../../../src/store/admin-store.ts";
import { expectFolded } from "../../store/fold.ts";
import type { Step } from "../../support/random-steps.ts";
import type { OpenTestStore } from "../../support/store.ts";
import { workAlone } from "./alone.ts";
import type { Happening } from "./happenings.ts";
import { Machine } from "./machine.ts";
import { Net } from "./net.ts";
import { portableRows } from "./portable.ts";
import { type Leave, Spoke } from "./spoke.ts";
import type { Event, Trouble, TroubledStory } from "./troubles.ts";
import { WEATHER } from "./wire.ts";

const HOUR_MS = 3_600_000;
const WRONG_CLOCKS = [0, -365 * 24 * HOUR_MS, -HOUR_MS, 23 * HOUR_MS, 25 * HOUR_MS, 0];
const LEAVES: readonly Leave[] = ["project", "archive", "mark"];
/** This many machines of spokes can be copied. */
const COPIES = 3;
/** This many passes after the last trouble are enough for every copy. */
const PATIENCE = 4;
const STALE = "federation_replica_stale";

/** A hub and spokes of it, with their real stores and passes. Only the network and the clocks are made. */
export class Simulation {
  readonly #open: OpenTestStore;
  readonly #net: Net;
  readonly #hub: Machine;
  readonly #mostSpokes: number;
  readonly #spokes: Spoke[] = [];

  /** In turn, a spoke has copies of all projects or of one. */
  static async begin(
    open: OpenTestStore,
    spokes: number,
    { seed, before }: Pick<TroubledStory, "seed" | "before">,
  ): Promise<Simulation> {
    let hub: Machine | undefined;
    const net = await Net.begin(open, seed, before, async (options) => {
      hub = await Machine.start(open, options);
      return hub.store;
    });
    if (hub === undefined) throw new Error("a net opens the store of its hub");
    const simulation = new Simulation(open, net, hub, spokes + COPIES);
    for (let at = 0; at < spokes; at += 1)
      await simulation.#start(at % 2 === 0 ? net.projects : net.projects.slice(0, 1));
    return simulation;
  }

  private constructor(open: OpenTestStore, net: Net, hub: Machine, mostSpokes: number) {
    this.#open = open;
    this.#net = net;
    this.#hub = hub;
    this.#mostSpokes = mostSpokes;
  }

  async #start(projects: Spoke["projects"], copied?: Spoke): Promise<void> {
    const { hub } = this.#net;
    const number = this.#spokes.length + 1;
    const spoke = await Spoke.start(this.#open, hub, number, projects, { copied });
    this.#spokes.push(spoke);
    if (copied !== undefined) return;
    for (const project of projects) expectOneOf(["done"], await spoke.join(project));
  }

  async go(events: readonly Event[]): Promise<void> {
    let quiet: (Step | Happening)[] = [];
    for (const event of events) {
      if (!("trouble" in event)) {
        quiet.push(event);
        continue;
      }
      await this.#net.go(quiet);
      quiet = [];
      await this.#happens(event);
    }
    await this.#net.go(quiet);
  }

  async #happens({ trouble, at, value }: Trouble): Promise<void> {
    const spoke = this.#spokes[at % this.#spokes.length];
    const project = spoke?.projects[value % spoke.projects.length];
    if (spoke === undefined || project === undefined) return;
    const machine = at % 3 === 0 ? this.#hub : spoke.machine;
    const weather = WEATHER[value % WEATHER.length];
    switch (trouble) {
      case "pass":
        return void (await spoke.pass(weather));
      case "kill":
        return await machine.killedDuring(at % 23, async () => {
          if (value === 4) await spoke.leave(project, "project");
          else if (value === 5) await spoke.join(project);
          else await spoke.pass();
        });
      case "work alone":
        return await workAlone(spoke, project, { at, value });
      case "clock of a spoke":
        spoke.aheadMs = WRONG_CLOCKS[value % WRONG_CLOCKS.length] ?? 0;
        return;
      case "back up":
        return await machine.back();
      case "restore":
        return void (await machine.restore());
      case "copy":
        if (this.#spokes.length < this.#mostSpokes) await this.#start(spoke.projects, spoke);
        return;
      case "revoke":
        return await spoke.revoke();
      case "leave":
        return expectOneOf(["done"], await spoke.leave(project, LEAVES[at % 3] ?? "project"));
      case "join":
        return void (await spoke.join(project, weather));
    }
  }

  /** Ends all trouble, as people would, and lets every spoke read to the end. Fails if one cannot. */
  async settle(): Promise<void> {
    await this.#net.settle();
    // The clocks of all events that came are then in the past.
    this.#net.hub.clock.advance(48 * HOUR_MS);
    for (const spoke of this.#spokes) spoke.aheadMs = 0;
    await this.#expectOneOfCopies();
    for (const spoke of this.#spokes) await rejoined(spoke);
    for (let pass = 0; pass < PATIENCE; pass += 1)
      for (const spoke of this.#spokes) await spoke.pass();
  }

  /** Of copies of one machine, which have the same token, at most one goes on. Nothing else stops a copy for good. */
  async #expectOneOfCopies(): Promise<void> {
    for (let pass = 0; pass < PATIENCE; pass += 1)
      for (const spoke of this.#spokes) await spoke.pass();
    const readers: string[] = [];
    for (const spoke of this.#spokes) {
      const outcomes = await spoke.pass();
      const reasons = await spoke.stopped();
      for (const [at, { uid }] of spoke.projects.entries()) {
        const reason = reasons[at];
        expectOneOf([undefined, "unbound", STALE], reason);
        if (outcomes[at] === "current") readers.push(`${uid} ${await spoke.tokenOf(uid)}`);
      }
    }
    expectUnlike(readers);
  }

  /**
   * Fails unless the log and the tables of every daemon are sound, and every copy shows what the hub does. Returns how
   * many events the hub has.
   */
  async expectAgreement(): Promise<number> {
    await expectSound(this.#hub.store);
    for (const spoke of this.#spokes) {
      await expectSound(spoke.machine.store);
      const [outcomes, reasons] = [await spoke.pass(), await spoke.stopped()];
      const isBound = (_: unknown, at: number): boolean => reasons[at] !== "unbound";
      for (const outcome of outcomes.filter(isBound)) expectOneOf(["current"], outcome);
      const bound = spoke.projects.filter(isBound);
      await expectSameRows(spoke.machine.store, this.#hub.store, bound);
      await expectVerified(spoke, bound);
    }
    return await this.#hub.store.read(async ({ events }) => await events.lastId());
  }

  async close(): Promise<void> {
    for (const { machine } of this.#spokes) await machine.close();
    await this.#hub.close();
  }
}

/**
 * Every project of the spoke joins with a new token: that is the cure of whatever ended the reading. Only a project that
 * was changed after it had left stays as it is.
 */
async function rejoined(spoke: Spoke): Promise<void> {
  await spoke.enroll();
  for (const [at, project] of spoke.projects.entries()) {
    const isUnbound = (await spoke.stopped())[at] === "unbound";
    if (isUnbound) await spoke.unarchive(project);
    const answer = await spoke.join(project);
    expectOneOf(isUnbound ? ["done", "federation_rejoin_unsent"] : ["done"], answer);
    expect((await spoke.stopped())[at]).toBe(answer === "done" ? undefined : "unbound");
  }
}

function expectUnlike(readers: readonly string[]): void {
  expect(readers.toSorted()).toEqual([...new Set(readers)].toSorted());
}

function expectOneOf<T>(allowed: readonly T[], found: T): void {
  if (!allowed.includes(found)) expect(found).toBe(allowed.join(" or "));
}

export async function expectSameRows(
  copy: AdminStore,
  hub: AdminStore,
  projects: Spoke["projects"],
): Promise<void> {
  const uids = new Set(projects.map(({ uid }) => uid));
  expect(await portableRows(copy, uids)).toEqual(await portableRows(hub, uids));
}

/** Fails unless the last pass of each copy found that it has what its hub has, and verify finds no difference. */
export async function expectVerified(
  { world: { store, call } }: Pick<Spoke, "world">,
  projects: Spoke["projects"],
): Promise<void> {
  for (const { uid: project_uid } of projects) {
    const { comparison, project_id } = await store.read(async (reader) => {
      const binding = await reader.unfolded.find("federation_binding", { project_uid });
      const project = await reader.projects.find(project_uid);
      return {
        comparison: binding === undefined ? undefined : await comparisonOf(reader, binding),
        project_id: project?.id ?? 0,
      };
    });
    expect(comparison).toMatchObject({ state: "equal" });
    const asked = { params: { project_id }, body: { rows: true } };
    const found = await call(verifyFederationReplica, asked);
    expect(found).toMatchObject({ state: "equal", rows: { state: "equal", left_out: 0 } });
  }
}

export async function expectSound(store: AdminStore): Promise<void> {
  await expectFolded(store);
  const snapshot = await store.openSnapshot();
  try {
    const report = await examineStorage(snapshot);
    expect(report).toMatchObject({ integrity: [], changedEvents: [], brokenChain: [] });
    expect(report.fold).toBeUndefined();
  } finally {
    await snapshot.close();
  }
}
