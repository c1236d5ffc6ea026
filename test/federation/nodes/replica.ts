import type { Ids } from "../../../src/base/ids.ts";
import type { EventKind } from "../../../src/contract/events.ts";
import type { AdminStore } from "../../../src/store/admin-store.ts";
import type { ForeignEvent } from "../../../src/store/types/store.ts";
import { projectCreated } from "../../store/drafts.ts";
import { askHub, type PollPage, poll } from "../../support/federated.ts";
import { countingIds } from "../../support/ids.ts";
import type { OpenTestStore } from "../../support/store.ts";
import type { World } from "../../support/world.ts";

export interface Federated {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
}

/** What a replica needs to read from its hub. */
export interface HubAccess {
  readonly hub: Pick<World, "app" | "clock">;
  readonly token: string;
  readonly open: OpenTestStore;
}

const MAX_PAGE = 1000;

/**
 * A database with copies of one or several projects, which reads them with the polls of the hub. After a reset it is
 * another, empty database.
 */
export class Replica {
  readonly projects: readonly Federated[];
  readonly #access: HubAccess;
  readonly #number: number;
  /** By the id of the project. */
  readonly #cursors = new Map<number, number>();
  #store: AdminStore;
  #resets = 0;

  static async join(
    access: HubAccess,
    number: number,
    projects: readonly Federated[],
  ): Promise<Replica> {
    const store = await openReplica(access, number, 0);
    const replica = new Replica(access, number, projects, store);
    await replica.#begin();
    return replica;
  }

  private constructor(
    access: HubAccess,
    number: number,
    projects: readonly Federated[],
    store: AdminStore,
  ) {
    this.#access = access;
    this.#number = number;
    this.projects = projects;
    this.#store = store;
  }

  get store(): AdminStore {
    return this.#store;
  }

  async #begin(): Promise<void> {
    for (const project of this.projects) {
      await makeCopy(this.#store, project);
      this.#cursors.set(project.id, await beginningOf(this.#access, project));
    }
  }

  async #reset(): Promise<void> {
    this.#resets += 1;
    await this.#store.close();
    this.#store = await openReplica(this.#access, this.#number, this.#resets);
    await this.#begin();
  }

  /** Reads one page of each project. */
  async pull(limit: number): Promise<void> {
    for (const project of this.projects) await this.#pull(project, limit);
  }

  async pullAll(): Promise<void> {
    for (let isMore = true; isMore; ) {
      isMore = false;
      for (const project of this.projects) if (await this.#pull(project, MAX_PAGE)) isMore = true;
    }
  }

  /** Returns whether there may be more. */
  async #pull({ id }: Federated, limit: number): Promise<boolean> {
    const { hub, token } = this.#access;
    const after_id = this.#cursors.get(id) ?? 0;
    const { status, body, text } = await poll(hub, id, { token, after_id, limit });
    // The project is archived.
    if (status === 404) return false;
    if (status !== 200) throw new Error(`the hub answered ${status}: ${text}`);
    if (body.reset_required) {
      await this.#reset();
      return true;
    }
    await this.#store.write(
      async (tx) => await tx.admit(body.events.map(foreignOf), { fromHub: true }),
    );
    this.#cursors.set(id, body.next_after_id);
    return body.next_after_id > after_id;
  }
}

/** The cursor with which a new replica of the project begins. */
export async function beginningOf(
  { hub, token }: Pick<HubAccess, "hub" | "token">,
  { id }: Federated,
): Promise<number> {
  const answer = await askHub(hub, `/projects/${id}/federation/metadata`, { token });
  const body: { readonly replay_horizon_event_id?: number } = JSON.parse(answer.text);
  return (body.replay_horizon_event_id ?? 1) - 1;
}

/** Makes the project that a join makes, without its binding. */
export async function makeCopy(
  store: Pick<AdminStore, "write">,
  { uid, name }: Federated,
): Promise<void> {
  await store.write(async (tx) => await tx.append(projectCreated(uid, name)));
}

/** An event of a page, as `admit` takes it. */
export function foreignOf(envelope: PollPage["events"][number]): ForeignEvent {
  const { issue_uid, related_issue_uid } = envelope;
  return {
    uid: envelope.event_uid,
    origin_instance_uid: envelope.origin_instance_uid,
    project_uid: envelope.project_uid,
    ...(issue_uid === undefined ? {} : { issue_uid }),
    ...(related_issue_uid === undefined ? {} : { related_issue_uid }),
    type: envelope.type as EventKind,
    actor: envelope.actor,
    payload: envelope.payload,
    hlc_physical_ms: envelope.hlc_physical_ms,
    hlc_counter: envelope.hlc_counter,
    content_hash: envelope.content_hash,
    created_at: envelope.created_at,
    hub_event_id: envelope.event_id,
  } as unknown as ForeignEvent;
}

/** Opens an empty database whose uids no other daemon of the test makes; `first` are the first uids that it makes. */
export async function openReplica(
  { open, hub }: Pick<HubAccess, "open" | "hub">,
  number: number,
  resets: number,
  first: readonly string[] = [],
): Promise<AdminStore> {
  const ids = countingIds();
  const place = `01S${String(number).padStart(3, "0")}${String(resets).padStart(3, "0")}`;
  const given = [...first];
  const own: Ids = {
    ulid: () => given.shift() ?? `${place}${ids.ulid().slice(place.length)}`,
  };
  return await open({ clock: hub.clock, ids: own });
}
