import { rebuildProjectClocks } from "../log/project-clocks.ts";
import type { Migration } from "../upgrade/migrate.ts";

/** Adds the clocks of projects that are read from hubs. */
export const projectClocks: Migration = {
  version: 56,
  up: async ({ table }) => {
    await table(
      "project_clock",
      "project_uid text not null, hlc_physical_ms int not null, hlc_counter int not null",
      "primary key (project_uid)",
    );
  },
  finish: rebuildProjectClocks,
};
