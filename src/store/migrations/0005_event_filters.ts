import type { Migration } from "../migrate.ts";

/** For readers of the log who want few kinds of events, or what few actors did. */
export const eventFilters: Migration = {
  version: 5,
  up: async ({ index }) => {
    await index("event_type", "event", "type, id");
    await index("event_actor", "event", "actor, id");
  },
};
