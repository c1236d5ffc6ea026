import { msToInstant } from "../../src/base/clock.ts";
import { canonicalJson, type JsonObject } from "../../src/base/json.ts";
import type { EventDraft } from "../../src/contract/events.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import { contentHash } from "../../src/store/log/content-hash.ts";
import type { AdmitOptions, AdmitResult, ForeignEvent } from "../../src/store/types/store.ts";
import { projectCreated, uid } from "./drafts.ts";
import { P, Q } from "./random-events.ts";

/** Events as other daemons write them. Their clocks are long before that of the database, so that they come late. */

export const BEGIN_MS = 1_700_000_000_000;
export const ORIGIN = uid(901);

export interface Clocked {
  readonly hlc_physical_ms: number;
  readonly hlc_counter?: number;
  readonly origin_instance_uid?: string;
  readonly hub_event_id?: number;
}

/** Gives each event another uid, counted from the one after `lastUid`. */
export class ForeignEvents {
  #lastUid: number;

  constructor(lastUid = 5000) {
    this.#lastUid = lastUid;
  }

  next(draft: EventDraft, clock: Clocked): ForeignEvent {
    this.#lastUid += 1;
    return withHash({
      ...draft,
      uid: uid(this.#lastUid),
      origin_instance_uid: clock.origin_instance_uid ?? ORIGIN,
      hlc_physical_ms: clock.hlc_physical_ms,
      hlc_counter: clock.hlc_counter ?? 0,
      created_at: msToInstant(clock.hlc_physical_ms),
      ...(clock.hub_event_id === undefined ? {} : { hub_event_id: clock.hub_event_id }),
    } as ForeignEvent);
  }
}

/** Returns the event with the hash of its content as it is now. */
export function withHash(event: Omit<ForeignEvent, "content_hash">): ForeignEvent {
  const payload = canonicalJson(event.payload as unknown as JsonObject);
  return { ...event, content_hash: contentHash(event, payload) } as ForeignEvent;
}

/** The first event of a baseline. */
export function baseline(project: string): EventDraft<"project.federation_enabled"> {
  const payload = {
    ...{ project_uid: project, project_name: "web", revision: 1 },
    ...{ purged_uids: [], spent_short_ids: [], former_short_ids: [] },
  };
  return { type: "project.federation_enabled", actor: "ann", project_uid: project, payload };
}

/** Makes the database the hub of two projects. */
export async function asHub(store: AdminStore): Promise<AdminStore> {
  await store.write(async (tx) => {
    for (const draft of [projectCreated(P, "web"), projectCreated(Q, "api")])
      await tx.append(draft);
    for (const project of [P, Q]) await tx.append(baseline(project));
  });
  return store;
}

export async function admitAs(
  store: AdminStore,
  options: AdmitOptions,
  ...events: readonly ForeignEvent[]
): Promise<AdmitResult> {
  return await store.write(async (tx) => await tx.admit(events, options));
}

/**
 * Makes the database a copy of the project P, with the first event of its baseline. Returns a function that adds a page of
 * the hub, whose events get the next ids there.
 */
export async function asSpoke(store: AdminStore) {
  await store.write(async (tx) => {
    await tx.append(projectCreated(P, "web"));
  });
  const made = new ForeignEvents();
  let at = 0;
  const next = (draft: EventDraft): ForeignEvent => {
    at += 1;
    return made.next(draft, { hlc_physical_ms: BEGIN_MS + at, hub_event_id: at });
  };
  const pull = async (...drafts: readonly EventDraft[]): Promise<AdmitResult> =>
    await admitAs(store, { fromHub: true, ownUpTo: 0 }, ...drafts.map(next));
  await pull(baseline(P));
  return pull;
}
