import { copyFileSync, existsSync } from "node:fs";
import { Credentials, credentialsPath } from "../../../src/config/credentials.ts";
import {
  createFederationEnrollment,
  revokeFederationEnrollment,
} from "../../../src/contract/federation.ts";
import {
  createFederationReplica,
  leaveFederationReplica,
} from "../../../src/contract/federation-replicas.ts";
import { restoreProject } from "../../../src/contract/project-actions.ts";
import { HubFault } from "../../../src/federation/hub.ts";
import { FakeClock } from "../../support/clock.ts";
import { countingIds } from "../../support/ids.ts";
import { pullOf } from "../../support/replica.ts";
import type { OpenTestStore } from "../../support/store.ts";
import { type World, world } from "../../support/world.ts";
import { Machine } from "./machine.ts";
import type { Federated } from "./replica.ts";
import { type Weather, Wire } from "./wire.ts";

/** The address is not asked: the network is a function. */
const ORIGIN = "http://hub.invalid";
/** How many uids each spoke may make. */
const UIDS = 32 ** 3;

/**
 * - `project`: the project is left, and archived with `archive`.
 * - `mark`: the leave is only prepared, as when a command ends in the middle.
 */
export type Leave = "project" | "archive" | "mark";

/** A daemon with copies of projects of a hub, as it is: its store, its engine, its credentials, its passes. */
export class Spoke {
  readonly machine: Machine;
  readonly projects: readonly Federated[];
  /** Whether the copies send their changes to the hub. */
  readonly writes: boolean;
  readonly #hub: World;
  readonly #clock: FakeClock;
  readonly #last = new Map<number, string>();
  readonly #credentials: Credentials;
  #world: World | undefined;
  #enrollment: { readonly id: number; readonly token: string } | undefined;
  /** By how much the clock of the machine is wrong. */
  aheadMs = 0;
  #weather: Weather = "whole";

  /**
   * With `copied`, the machine is a copy of another one, with the same identity and tokens, or with `renamed` under an
   * identity and with an enrollment of its own.
   */
  static async start(
    open: OpenTestStore,
    hub: World,
    number: number,
    projects: readonly Federated[],
    {
      copied,
      renamed = false,
      writes = false,
    }: {
      readonly copied?: Spoke | undefined;
      readonly renamed?: boolean;
      readonly writes?: boolean;
    } = {},
  ): Promise<Spoke> {
    const [clock, ids] = [new FakeClock(hub.clock.now()), countingIds((number + 1) * UIDS)];
    const options = { clock, ids, timezone: "UTC" };
    const machine = await Machine.start(open, options, copied?.machine, renamed);
    const file = credentialsPath(machine.folder);
    const known = copied === undefined ? undefined : credentialsPath(copied.machine.folder);
    if (known !== undefined && existsSync(known)) copyFileSync(known, file);
    const credentials = new Credentials(file);
    const spoke = new Spoke({ hub, projects, machine, clock, credentials, writes });
    const place = () => ({ hub_url: ORIGIN, allow_insecure: false });
    spoke.#world = await world({
      store: async () => await Promise.resolve(machine.store),
      ...{ clock, ids },
      replicas: { credentials, placeOf: place, catalogPlace: place },
      federation: {
        intervalMs: 30_000,
        credential: async (uid) => await credentials.get(uid),
        hub: async ({ hub_project_id }, { token }) =>
          await Promise.resolve(spoke.#wire(hub_project_id, token)),
      },
    });
    if (copied === undefined || renamed) await spoke.enroll();
    else spoke.#enrollment = copied.#enrollment;
    return spoke;
  }

  private constructor({ hub, projects, machine, clock, credentials, writes }: SpokeParts) {
    this.#hub = hub;
    this.projects = projects;
    this.machine = machine;
    this.#clock = clock;
    this.#credentials = credentials;
    this.writes = writes;
  }

  get world(): World {
    if (this.#world === undefined) throw new Error("a spoke has a world once it has started");
    return this.#world;
  }

  #wire(projectId: number, token: string): Wire {
    const next = (): Weather => {
      const weather = this.#weather;
      this.#weather = "whole";
      return weather;
    };
    const instance = this.machine.store.instanceUid;
    return new Wire({ hub: this.#hub, token, instance, next, last: this.#last }, projectId);
  }

  async enroll(): Promise<void> {
    const spoke_instance_uid = this.machine.store.instanceUid;
    const capabilities = this.#capabilities;
    const body = { spoke_instance_uid, project_id: null, capabilities, actor: this.actor };
    this.#enrollment = await this.#hub.call(createFederationEnrollment, { body });
  }

  get #capabilities(): string {
    return this.writes ? "pull,push" : "pull";
  }

  /** In whose name the hub gets the changes. */
  get actor(): string {
    return this.writes ? "sam" : "ann";
  }

  async revoke(): Promise<void> {
    const params = { enrollment_id: this.#enrollment?.id ?? 0 };
    await this.#hub.send(revokeFederationEnrollment, { params });
  }

  /** Joins the project, or joins it again. Returns "done", or the code of the fault. */
  async join(project: Federated, weather: Weather = "whole"): Promise<string> {
    this.#follow();
    this.#weather = weather;
    const token = this.#enrollment?.token ?? "";
    try {
      const known = await this.#wire(project.id, token).metadata();
      const { replay_horizon_event_id, baseline_through_event_id } = known;
      const body = {
        ...{ hub_url: ORIGIN, hub_project_id: project.id, hub_project_uid: project.uid },
        ...{ project_name: project.name, replay_horizon_event_id, baseline_through_event_id },
        ...{ token, capabilities: this.#capabilities, actor: this.actor },
        ...(this.writes ? { push_enabled: true } : {}),
      };
      return await codeOf(await this.world.send(createFederationReplica, { body }));
    } catch (error) {
      if (error instanceof HubFault) return error.code;
      throw error;
    }
  }

  /** Leaves the hub of the project. Returns "done", or the code of the refusal. */
  async leave(project: Federated, how: Leave): Promise<string> {
    const params = { project_id: await this.localId(project) };
    const body = how === "mark" ? { prepare: true } : {};
    const disposition = how === "archive" ? ("archive" as const) : ("detach" as const);
    const asked = { params, body: { ...body, disposition, force: true } };
    return await codeOf(await this.world.send(leaveFederationReplica, asked));
  }

  /** Takes the project out of the archive, where a leave may have put it. */
  async unarchive(project: Federated): Promise<void> {
    await this.world.send(restoreProject, { params: { project_id: await this.localId(project) } });
  }

  async tokenOf(project_uid: string): Promise<string> {
    return (await this.#credentials.get(project_uid))?.token ?? "none";
  }

  async localId({ uid }: Federated): Promise<number> {
    const found = await this.machine.store.read(async ({ projects }) => await projects.find(uid));
    return found?.id ?? 0;
  }

  /** One pass of each project. `weather` is that of the first request. Returns how each pass went. */
  async pass(weather: Weather = "whole"): Promise<readonly string[]> {
    this.#follow();
    this.#weather = weather;
    const outcomes: string[] = [];
    for (const project of this.projects) {
      const pulled = await pullOf(this.world, project);
      outcomes.push(pulled.outcome === "failed" ? pulled.code : pulled.outcome);
    }
    return outcomes;
  }

  /** Decides about the batches that the hub refused. Returns whether there were any. */
  async decide(how: "retry" | "skip"): Promise<boolean> {
    return await this.machine.store.write(async (tx) => {
      let isDecided = false;
      for (const { uid } of this.projects) {
        const row = await tx.federation.activeQuarantine(uid);
        const binding = await tx.unfolded.find("federation_binding", { project_uid: uid });
        if (row === undefined || binding === undefined) continue;
        isDecided = true;
        const decided = { skipped_at: tx.now, skipped_by: "ann", skip_reason: `${how}: ` };
        await tx.unfolded.put("federation_quarantine", { ...row, ...decided });
        if (how === "retry") continue;
        const push_cursor_event_id = Math.max(binding.push_cursor_event_id, row.last_event_id);
        await tx.unfolded.put("federation_binding", { ...binding, push_cursor_event_id });
        await tx.skipEvents(row.event_uids);
      }
      return isDecided;
    });
  }

  /** The time of the machine follows that of the hub. */
  #follow(): void {
    this.#clock.advance(this.#hub.clock.nowMs() + this.aheadMs - this.#clock.nowMs());
  }

  /** Why each copy is no longer read: undefined if it is, and `unbound` if the project has left its hub. */
  async stopped(): Promise<readonly (string | undefined)[]> {
    return await this.machine.store.read(async ({ unfolded }) => {
      const reasons: (string | undefined)[] = [];
      for (const { uid: project_uid } of this.projects) {
        const binding = await unfolded.find("federation_binding", { project_uid });
        if (binding === undefined) reasons.push("unbound");
        else reasons.push(binding.disabled_reason ?? undefined);
      }
      return reasons;
    });
  }
}

interface SpokeParts {
  readonly hub: World;
  readonly projects: readonly Federated[];
  readonly machine: Machine;
  readonly clock: FakeClock;
  readonly credentials: Credentials;
  readonly writes: boolean;
}

export async function codeOf(response: Response): Promise<string> {
  const text = await response.text();
  if (response.ok) return "done";
  const { error }: { readonly error?: { readonly code?: string } } = JSON.parse(text);
  return error?.code ?? `${response.status}`;
}
