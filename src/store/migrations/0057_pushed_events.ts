import type { Migration } from "../upgrade/migrate.ts";

/**
 * Adds what a copy that sends its events stores about them beside the log: who wrote an event that is sent in the name
 * of another actor, which events the hub will never get, and which events the hub had when the copy began again. Also
 * adds the hub's message for refusing a batch.
 */
export const pushedEvents: Migration = {
  version: 57,
  up: async ({ dialect, run, index }) => {
    const text = dialect === "sqlite" ? "text" : 'text collate "C"';
    await run(`alter table event add column local_actor ${text}`);
    await run(`alter table event add column skipped_at ${text}`);
    await index("event_local_actor_time", "event", "local_actor, created_at, id", {
      where: "local_actor is not null",
    });
    const int = dialect === "sqlite" ? "integer" : "bigint";
    await run(`alter table federation_binding add column own_through_event_id ${int}`);
    await run(
      `alter table federation_binding add column pushes_once_read ${int} not null default 0`,
    );
    await run(`alter table federation_binding add column adopted_through_event_id ${int}`);
    await run(`alter table federation_quarantine add column detail ${text}`);
  },
};
