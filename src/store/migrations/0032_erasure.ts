import type { Migration } from "../migrate.ts";

/**
 * What was deleted before stays in the bytes of a SQLite file. The file is written anew once, which cannot be done
 * inside of this transaction: the daemon does it after it has started, as after a purge (`erase.ts`).
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
