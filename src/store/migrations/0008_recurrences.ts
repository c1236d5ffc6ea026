import type { Migration } from "../upgrade/migrate.ts";

/** Adds recurring series. An issue of a series stores the uid of the series and the day that it was created for. */
export const recurrences: Migration = {
  version: 8,
  up: async ({ dialect, table, index, run }) => {
    await table(
      "recurrence",
      `id int primary key, uid text not null unique, project_uid text not null references project (uid),
       rrule text not null, dtstart text not null, timezone text not null, template_title text not null,
       template_body text not null, template_owner text, template_priority int, template_labels text not null,
       template_metadata text not null, next_occurrence_key text, last_materialized_uid text,
       author text not null, revision int not null, created_at text not null, updated_at text not null,
       deleted_at text`,
    );
    await index("recurrence_project", "recurrence", "project_uid, created_at, id");
    const [int, text] = dialect === "sqlite" ? ["integer", "text"] : ["bigint", 'text collate "C"'];
    await run(`alter table issue add column recurrence_uid ${text}`);
    await run(`alter table issue add column occurrence_key ${text}`);
    await run(`alter table issue add column recurrence_id ${int}`);
    await index("issue_occurrence", "issue", "recurrence_uid, occurrence_key", {
      where: "recurrence_uid is not null",
    });
  },
};
