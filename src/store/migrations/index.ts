import type { Migration } from "../upgrade/migrate.ts";
import { firstRelease } from "./0060_first_release.ts";

/**
 * All migrations in order; the number of the last one is the schema version. A released migration is never edited. The
 * first one has number 60, because databases of that version exist from before the first release, and a version never
 * goes back.
 */
export const MIGRATIONS: readonly Migration[] = [firstRelease];
