import type { Migration } from "../migrate.ts";

/** For readers of a span of time, of the closes of a project and of what else happened to an issue. */
export const activity: Migration = {
  version: 4,
  up: async ({ index }) => {
    await index("event_time", "event", "created_at, id");
    // SQLite takes an index of this kind only for a query that repeats its condition.
    await index("event_closed", "event", "feed_uid, type, id", { where: "type = 'issue.closed'" });
    await index("event_throttled", "event", "feed_uid, type, id", {
      where: "type = 'close.throttled'",
    });
    await index("event_related", "event", "related_issue_uid, id", {
      where: "related_issue_uid is not null",
    });
  },
};
