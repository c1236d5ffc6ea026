import type { Migration } from "../upgrade/migrate.ts";

/**
 * Text that was deleted before this version is still in the bytes of a SQLite file. Rewriting the file removes it, but
 * is impossible inside this transaction. So the daemon rewrites the file once after its start, as after a purge
 * (`erase.ts`).
 */
export const erasure: Migration = {
  version: 32,
  up: async ({ dialect, run }) => {
    await run("delete from label_count where count <= 0");
    if (dialect === "sqlite")
      await run(
        "insert into meta (key, value) select 'erasure', '0' from log_head where last_event_id > 0",
      );
  },
};
