import type { Migration } from "../upgrade/migrate.ts";

/** Adds the index of mentions, which a later migration fills (`0050_waiting_links.ts`). */
export const past: Migration = {
  version: 6,
  up: async ({ table, index }) => {
    await table(
      "event_mention",
      "issue_uid text not null references issue (uid), event_id int not null",
      "primary key (issue_uid, event_id)",
    );
    await index("event_mention_event", "event_mention", "event_id");
    await index("event_actor_time", "event", "actor, created_at, id");
  },
};
