import type { Migration } from "../upgrade/migrate.ts";

/** Adds what a spoke remembers of its hub's log between two passes. */
export const hubLog: Migration = {
  version: 52,
  up: async ({ dialect, run }) => {
    const type = dialect === "sqlite" ? "text" : 'text collate "C"';
    for (const column of ["hub_epoch", "hub_chain", "hub_stamp"])
      await run(`alter table federation_binding add column ${column} ${type}`);
  },
};
