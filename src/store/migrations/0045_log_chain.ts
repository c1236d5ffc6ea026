import { NO_CHAIN } from "../log/chain.ts";
import type { Migration } from "../upgrade/migrate.ts";

/**
 * Gives each event its chain, the log an epoch, and deleted events a record. `prepare` chooses the epoch. Events that
 * were purged before this migration are not part of the chain.
 */
export const logChain: Migration = {
  version: 45,
  up: async ({ dialect, run, table, chainLog }) => {
    const text = dialect === "sqlite" ? "text" : 'text collate "C"';
    await run(`alter table event add column chain ${text} not null default ''`);
    await run(`alter table log_head add column chain ${text} not null default '${NO_CHAIN}'`);
    await run(`alter table log_head add column epoch ${text} not null default ''`);
    await table(
      "log_gap",
      "before_id int not null, before_chain text not null, last_id int not null, last_chain text not null",
      "primary key (before_id)",
    );
    await chainLog();
  },
};
