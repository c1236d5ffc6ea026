import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import type { StoredEvent } from "../../src/contract/events.ts";
import type { Rows } from "../../src/domain/tables/tables.ts";
import { openStore } from "../../src/store/open.ts";
import type { Store } from "../../src/store/types/store.ts";
import { bindingRow } from "./federated.ts";

type Quarantine = Rows["federation_quarantine"];

/** A copy that sends its events. */
export const SENDING = {
  role: "spoke",
  hub_url: "https://hub.example",
  hub_project_id: 7,
  push_enabled: 1,
  bound_actor: "sam",
} as const;

/** Stores that the hub refused the events, as a pass would store it. */
export async function quarantine(
  { store }: { readonly store: Pick<Store, "write"> },
  { uid: project_uid }: { readonly uid: string },
  events: readonly StoredEvent[],
  changes: Partial<Quarantine> = {},
): Promise<Quarantine> {
  const ids = events.map(({ id }) => id);
  return await store.write(async (tx) => {
    const row: Quarantine = {
      id: 1,
      project_uid,
      direction: "push",
      first_event_id: Math.min(...ids),
      last_event_id: Math.max(...ids),
      event_uids: events.map(({ uid }) => uid),
      error: "validation",
      detail: "event 9: references unknown issue",
      created_at: tx.now,
      skipped_at: null,
      skipped_by: null,
      skip_reason: null,
      ...changes,
    };
    await tx.unfolded.put("federation_quarantine", row);
    return row;
  });
}

/**
 * Makes the project a copy whose hub refused the event with the title and all events after it. Writes this into a
 * SQLite file that no daemon has open.
 */
export async function plantQuarantine(
  dsn: string,
  name: string,
  title: string,
  changes: Partial<Rows["federation_binding"]> = {},
): Promise<void> {
  const store = await openStore({ dsn, clock: systemClock, ids: systemIds(), timezone: "UTC" });
  try {
    const { project, events } = await store.read(async (reader) => ({
      project: (await reader.projects.list(true)).find((one) => one.name === name),
      events: await reader.events.after(0, 1000),
    }));
    const from = events.findIndex(({ payload }) => JSON.stringify(payload).includes(title));
    if (project === undefined || from < 0) throw new Error("there is no such project or event");
    await store.write(
      async (tx) =>
        await tx.unfolded.put(
          "federation_binding",
          bindingRow(project.uid, 1, tx.now, {
            ...SENDING,
            hub_project_uid: project.uid,
            ...changes,
          }),
        ),
    );
    await quarantine({ store }, project, events.slice(from));
  } finally {
    await store.close();
  }
}
