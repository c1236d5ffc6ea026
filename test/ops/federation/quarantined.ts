import type { PrincipalKind } from "../../../src/domain/access/rights.ts";
import type { Principal } from "../../../src/ops/deps.ts";
import { makeHub } from "../../support/federated.ts";
import { SENDING } from "../../support/quarantine.ts";
import { type OpenStore, type World, world } from "../../support/world.ts";

/** A copy that sends its events, of which the hub has one issue, and callers of any kind. */
export async function copy(open: OpenStore) {
  let caller: Principal = { kind: "none", local: true };
  const w = await world({ store: open, authenticate: async () => caller });
  const project = await w.given.project();
  const known = await w.given.issue({ project, title: "of the hub" });
  const sent = await lastId(w);
  await makeHub(w, project, {
    ...SENDING,
    hub_project_uid: project.uid,
    push_cursor_event_id: sent,
  });
  return {
    w,
    project,
    known,
    sent,
    as: (changes: Partial<Principal> & { readonly kind: PrincipalKind }) => {
      caller = { local: false, ...changes };
    },
    /** The events that were written after this one. */
    since: async (id: number = sent) => (await w.events()).filter((event) => event.id > id),
  };
}

export async function lastId({ store }: Pick<World, "store">): Promise<number> {
  return await store.read(async ({ events }) => await events.lastId());
}
