import type { Migration } from "../migrate.ts";

/** Adds indexes for reading only some kinds of events, or only the events of some actors. */
export const eventFilters: Migration = {
  version: 5,
  up: async ({ index }) => {
    await index("event_type", "event", "type, id");
    await index("event_actor", "event", "actor, id");
  },
};
