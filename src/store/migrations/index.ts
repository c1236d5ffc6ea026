import type { Migration } from "../migrate.ts";
import { core } from "./0001_core.ts";

/** In order; the number of the last one is the schema's version. A migration that was released is never edited. */
export const MIGRATIONS: readonly Migration[] = [core];
