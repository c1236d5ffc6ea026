import type { Migration } from "../upgrade/migrate.ts";
import { cronTables } from "./first-release/cron.ts";
import { daemonTables } from "./first-release/daemons.ts";
import { federationTables } from "./first-release/federation.ts";
import { issueTables } from "./first-release/issues.ts";
import { logTables } from "./first-release/log.ts";
import { otherTrackerTables } from "./first-release/other-trackers.ts";
import { searchTables } from "./first-release/search.ts";

/** Creates all tables of svc 0.1.0. */
export const firstRelease: Migration = {
  version: 60,
  up: async (schema) => {
    await logTables(schema);
    await issueTables(schema);
    await searchTables(schema);
    await cronTables(schema);
    await otherTrackerTables(schema);
    await federationTables(schema);
    await daemonTables(schema);
  },
};
