import type { Migration } from "../upgrade/migrate.ts";

export const activity: Migration = {
  version: 4,
  up: async ({ index }) => {
    await index("event_time", "event", "created_at, id");
    // SQLite uses a partial index only for a query that repeats the index's condition.
    await index("event_closed", "event", "feed_uid, type, id", { where: "type = 'issue.closed'" });
    await index("event_throttled", "event", "feed_uid, type, id", {
      where: "type = 'close.throttled'",
    });
    await index("event_related", "event", "related_issue_uid, id", {
      where: "related_issue_uid is not null",
    });
  },
};
