import type { Migration } from "../upgrade/migrate.ts";

export const past: Migration = {
  version: 6,
  up: async ({ table, index, rebuildMentions }) => {
    await table(
      "event_mention",
      "issue_uid text not null references issue (uid), event_id int not null",
      "primary key (issue_uid, event_id)",
    );
    await index("event_mention_event", "event_mention", "event_id");
    await index("event_actor_time", "event", "actor, created_at, id");
    await rebuildMentions();
  },
};
