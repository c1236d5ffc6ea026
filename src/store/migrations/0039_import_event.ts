import type { Migration } from "../upgrade/migrate.ts";

export const importEvent: Migration = {
  version: 39,
  up: async ({ table, index, rebuildImports }) => {
    await table(
      "import_event",
      "batch_uid text not null, issue_uid text not null references issue (uid), event_id int not null, kind text not null",
      "primary key (batch_uid, issue_uid, event_id)",
    );
    await index("import_event_issue", "import_event", "issue_uid");
    await rebuildImports();
  },
};
