import type { Migration } from "../upgrade/migrate.ts";

export const eventFilters: Migration = {
  version: 5,
  up: async ({ index }) => {
    await index("event_type", "event", "type, id");
    await index("event_actor", "event", "actor, id");
  },
};
