import type { Migration } from "../migrate.ts";

/** For readers of a span of time, of the closes of a project and of what else happened to an issue. */
export const activity: Migration = {
  version: 4,
  up: async ({ index }) => {
    await index("event_time", "event", "created_at, id");
    await index("event_close", "event", "feed_uid, type, id", {
      where: "type in ('issue.closed', 'close.throttled')",
    });
    await index("event_related", "event", "related_issue_uid, id", {
      where: "related_issue_uid is not null",
    });
  },
};
