import { rebuildMentions } from "../fold/mentions.ts";
import { buildWaitingLinks } from "../refold/build-waiting-links.ts";
import type { Migration } from "../upgrade/migrate.ts";

/**
 * Adds links that wait for an issue or for the end of a circle of parents, the list of purged issues, and the ids that
 * events have on the hub of a federated project.
 */
export const waitingLinks: Migration = {
  version: 50,
  up: async ({ dialect, table, index, run }) => {
    await table(
      "waiting_link",
      `from_uid text not null, to_uid text not null, type text not null check (type in ('parent', 'blocks', 'related')),
       author text not null, created_at text not null`,
      "primary key (from_uid, to_uid, type)",
    );
    await index("waiting_link_to", "waiting_link", "to_uid");
    // The new table has no reference to the table of issues, because events may name missing issues.
    await run("drop table event_mention");
    await table(
      "event_mention",
      "issue_uid text not null, event_id int not null",
      "primary key (issue_uid, event_id)",
    );
    await index("event_mention_event", "event_mention", "event_id");
    await table("purged_issue", "issue_uid text not null", "primary key (issue_uid)");
    await run(
      `insert into purged_issue (issue_uid) select distinct issue_uid from purge_log
       where issue_uid not in (select uid from issue)`,
    );
    const [int, text] = dialect === "sqlite" ? ["integer", "text"] : ["bigint", 'text collate "C"'];
    await run(`alter table project_purge_log add column issue_uids ${text} not null default ''`);
    await run(`alter table event add column hub_event_id ${int}`);
    await index("event_baseline", "event", "project_uid, id", {
      where: "type = 'project.federation_enabled'",
    });
  },
  finish: async (connection, timezone) => {
    await rebuildMentions(connection);
    await buildWaitingLinks(connection, timezone);
  },
};
