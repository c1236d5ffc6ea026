import type { Migration } from "../upgrade/migrate.ts";
import { firstRelease } from "./0060_first_release.ts";

/**
 * All migrations in order; the number of the last one is the schema version. A released migration is never edited. The
 * first one has the number that the schema had before the first release, because the version never goes back: the
 * contract says 31 of the first storage with jobs, workflows and runs
 * (docs/contract/cron-and-inbox.md#5-events-storage-federation).
 */
export const MIGRATIONS: readonly Migration[] = [firstRelease];
