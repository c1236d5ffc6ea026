import type { Migration } from "../upgrade/migrate.ts";

export const leases: Migration = {
  version: 3,
  up: async ({ table, index }) => {
    await table(
      "lease",
      `id int primary key, issue_uid text not null unique references issue (uid), claim_uid text not null,
       fence int not null, holder text not null, holder_instance_uid text not null, client_kind text not null,
       purpose text not null, claim_kind text not null check (claim_kind in ('hard', 'timed')),
       acquired_at text not null, expires_at text, released_at text, release_reason text,
       revision int not null, updated_at text not null`,
    );
    await index("lease_live", "lease", "expires_at, issue_uid", { where: "released_at is null" });
    const order = "(coalesce(priority, 5)), updated_at desc, id desc";
    const free = `deleted_at is null and status = 'open' and open_blockers = 0 and parked = 0 and held = 0
      and owner is null`;
    await index("issue_take", "issue", `project_uid, ${order}`, { where: free });
    await index("issue_take_all", "issue", order, { where: free });
  },
};
