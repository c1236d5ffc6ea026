import {
  createFederationEnrollment,
  enableProjectFederation,
} from "../../../src/contract/federation.ts";
import { restoreProject } from "../../../src/contract/project-actions.ts";
import { purgeIssue } from "../../../src/contract/removal.ts";
import { checkForeignEvent } from "../../../src/ops/federation/foreign-event.ts";
import { SPOKE } from "../../support/federated.ts";
import { type Chance, chanceOf } from "../../support/fleet/work.ts";
import { RandomRun } from "../../support/random-run.ts";
import type { Step } from "../../support/random-steps.ts";
import type { OpenTestStore } from "../../support/store.ts";
import { type OpenStore, type World, world } from "../../support/world.ts";
import type { Happening } from "./happenings.ts";
import { type KnownIssue, OfflineDaemon } from "./offline.ts";
import { beginningOf, type Federated, type HubAccess, Replica } from "./replica.ts";

const HOUR_MS = 3_600_000;
const REPLICAS = 6;

/**
 * A hub of two or three federated projects, replicas of one of them or of all, and three daemons whose events reach the
 * hub late. With two, the hub has a third project of its own. Steps that move issues or merge projects are attempted
 * with all of them.
 */
export class Net {
  readonly hub: World;
  readonly projects: readonly Federated[];
  readonly access: HubAccess;
  readonly replicas: Replica[] = [];
  readonly #run: RandomRun;
  readonly #chance: Chance;
  readonly #offline = [0, HOUR_MS, -HOUR_MS].map((ahead, at) => new OfflineDaemon(at + 1, ahead));

  /** The steps `before` are made before the projects are federated. */
  static async begin(
    open: OpenTestStore,
    seed: number,
    before: readonly Step[],
    hubStore: OpenStore = open,
  ): Promise<Net> {
    const hub = await world({ store: hubStore });
    const run = await RandomRun.begin(hub);
    await run.steps(before);
    const listed = await hub.store.read(async (reader) => await reader.projects.list(true));
    const projects: Federated[] = [];
    const found = listed.filter(({ id }) => id > 0).slice(seed % 3 === 0 ? -3 : -2);
    for (const { id, uid, name, deleted_at } of found) {
      if (deleted_at !== null) await hub.call(restoreProject, { params: { project_id: id } });
      await hub.call(enableProjectFederation, { params: { project_id: id } });
      projects.push({ id, uid, name });
    }
    const body = { spoke_instance_uid: SPOKE, project_id: null, capabilities: "pull" };
    const { token } = await hub.call(createFederationEnrollment, { body });
    return new Net({ hub, token, open }, hub, run, projects, seed);
  }

  private constructor(
    access: HubAccess,
    hub: World,
    run: RandomRun,
    projects: readonly Federated[],
    seed: number,
  ) {
    this.access = access;
    this.hub = hub;
    this.#run = run;
    this.projects = projects;
    this.#chance = chanceOf(seed);
  }

  async go(all: readonly (Step | Happening)[]): Promise<void> {
    let steps: Step[] = [];
    for (const next of all) {
      if (!("happens" in next)) {
        steps.push(next);
        continue;
      }
      await this.#run.steps(steps);
      steps = [];
      await this.#happens(next);
    }
    await this.#run.steps(steps);
  }

  async #happens({ happens, at, value }: Happening): Promise<void> {
    switch (happens) {
      case "pull":
        return await this.replicas[at % Math.max(1, this.replicas.length)]?.pull(value * 7 + 1);
      case "write":
        return await this.#write(at);
      case "deliver":
        return await this.#deliver(at, value * 3 + 1);
      case "refresh":
        if (value < 3) await this.#purgeOne(this.#project(at));
        return void (await beginningOf(this.access, this.#project(at)));
      case "join":
        return await this.join(at % 2 === 0 ? this.projects : [this.#project(at >> 1)]);
      case "clock":
        return this.hub.clock.advance((value - 2) * HOUR_MS);
    }
  }

  #project(at: number): Federated {
    const project = this.projects[at % this.projects.length];
    if (project === undefined) throw new Error("a net has federated projects");
    return project;
  }

  async join(projects: readonly Federated[]): Promise<void> {
    const number = this.replicas.length;
    if (number < REPLICAS) this.replicas.push(await Replica.join(this.access, number, projects));
  }

  async #write(at: number): Promise<void> {
    const uids = this.projects.map(({ uid }) => uid);
    const known = await this.hub.store.read(async (reader) => {
      const issues: KnownIssue[] = [];
      for (const project_uid of uids)
        for (const { uid } of await reader.issues.list({ project_uid, limit: 50 }, "recent"))
          issues.push({ uid, project_uid });
      return issues.sort((one, other) => (one.uid < other.uid ? -1 : 1));
    });
    const daemon = this.#offline[at % this.#offline.length];
    daemon?.write(this.#chance, this.hub.clock.nowMs(), uids, known);
  }

  async #deliver(at: number, count: number): Promise<void> {
    const { outbox } = this.#offline[at % this.#offline.length] ?? { outbox: [] };
    const taken = Array.from({ length: Math.min(count, outbox.length) }, () =>
      outbox.splice(this.#chance.below(outbox.length), 1),
    ).flat();
    for (const event of taken) checkForeignEvent(event);
    if (taken.length > 0)
      await this.hub.store.write(async (tx) => await tx.admit(taken, { fromHub: false }));
  }

  /** Purges an issue of each project, if it has one, so that its next reader gets a new baseline. */
  async purgeSome(): Promise<void> {
    for (const project of this.projects) await this.#purgeOne(project);
  }

  async #purgeOne({ id, uid }: Federated): Promise<void> {
    const issues = await this.hub.store.read(
      async (reader) => await reader.issues.list({ project_uid: uid, limit: 20 }, "recent"),
    );
    const issue = this.#chance.pick(issues);
    if (issue === undefined) return;
    await this.hub.send(purgeIssue, {
      params: { project_id: id, ref: issue.uid },
      headers: { "x-svc-confirm": `PURGE ${issue.project_name}#${issue.short_id}` },
    });
  }

  /** All events reach the hub, and all replicas read to the end. */
  async settle(): Promise<void> {
    for (const at of this.#offline.keys()) await this.#deliver(at, Number.POSITIVE_INFINITY);
    for (const { id, uid } of this.projects) {
      const found = await this.hub.store.read(async (reader) => await reader.projects.find(uid));
      if (found?.deleted_at !== null)
        await this.hub.call(restoreProject, { params: { project_id: id } });
    }
    for (const replica of this.replicas) await replica.pullAll();
  }

  async close(): Promise<void> {
    for (const { store } of this.replicas) await store.close();
    await this.hub.store.close();
  }
}
