import type { Migration } from "../upgrade/migrate.ts";

/** Adds a column for the request that is writing the baseline of a hub's project. */
export const baselineClaim: Migration = {
  version: 53,
  up: async ({ dialect, run }) => {
    const type = dialect === "sqlite" ? "text" : 'text collate "C"';
    for (const column of ["baseline_claim", "baseline_claimed_at"])
      await run(`alter table federation_binding add column ${column} ${type}`);
  },
};
