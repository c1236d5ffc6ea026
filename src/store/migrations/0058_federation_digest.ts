import type { Migration } from "../upgrade/migrate.ts";

/**
 * Adds the counts that a hub and a copy keep of the events that both have. Also adds the index that finds the events of
 * a copy by their ids on the hub. Only events of copies are in this index.
 */
export const federationDigest: Migration = {
  version: 58,
  up: async ({ table, index }) => {
    await table(
      "federation_digest",
      `project_uid text not null, bound_at text not null, log_epoch text not null, from_event_id int not null,
       reset_after_event_id int not null, through_event_id int not null, event_count int not null,
       hash_sum text not null, begun_at text not null, compared_at text, compared_through_event_id int,
       unequal_passes int not null, hub_fold_version int`,
      "primary key (project_uid)",
    );
    await index("event_hub", "event", "feed_uid, hub_event_id", {
      where: "hub_event_id is not null",
    });
  },
};
