import { rebuildCronEvents } from "../fold/cron-events.ts";
import type { Migration } from "../upgrade/migrate.ts";

/**
 * Adds an index from a job, workflow or run to its events. Also adds an index of the few events whose issues have short
 * ids other than those in the payloads.
 */
export const eventIndexes: Migration = {
  version: 54,
  up: async ({ table, index }) => {
    await table(
      "cron_event",
      "row_uid text not null, event_id int not null",
      "primary key (row_uid, event_id)",
    );
    await index("event_assigned", "event", "origin_instance_uid, id", {
      where: "assigned_ids is not null",
    });
  },
  finish: async (connection) => {
    await rebuildCronEvents(connection);
  },
};
