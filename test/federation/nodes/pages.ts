import type { AdminStore } from "../../../src/store/admin-store.ts";
import type { AdmitOptions, ForeignEvent } from "../../../src/store/types/store.ts";
import { poll } from "../../support/federated.ts";
import type { Chance } from "../../support/fleet/work.ts";
import type { Net } from "./net.ts";
import { beginningOf, foreignOf, makeCopy } from "./replica.ts";

const LARGEST_PAGE = 40;

/** All events of the net's projects that a new replica reads, in the order of the hub's log. */
export async function eventsOf({ hub, projects, access }: Net): Promise<readonly ForeignEvent[]> {
  const events: ForeignEvent[] = [];
  for (const project of projects) {
    let after_id = await beginningOf(access, project);
    for (let isMore = true; isMore; ) {
      const { body } = await poll(hub, project.id, { token: access.token, after_id });
      events.push(...body.events.map(foreignOf));
      isMore = body.next_after_id > after_id;
      after_id = body.next_after_id;
    }
  }
  return events.sort((one, other) => (one.hub_event_id ?? 0) - (other.hub_event_id ?? 0));
}

/** Admits the events in pages of random sizes to a database that has no projects yet. */
export async function admitInPages(
  store: AdminStore,
  { projects }: Pick<Net, "projects">,
  events: readonly ForeignEvent[],
  chance: Chance,
  options: AdmitOptions = { fromHub: true },
): Promise<void> {
  for (const project of projects) await makeCopy(store, project);
  for (let at = 0; at < events.length; ) {
    const page = events.slice(at, at + 1 + chance.below(LARGEST_PAGE));
    await store.write(async (tx) => await tx.admit(page, options));
    at += page.length;
  }
}

export function shuffled<T>(items: readonly T[], chance: Chance): readonly T[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(chance.below(rest.length), 1));
}
