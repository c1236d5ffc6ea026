/** The functions of `src/archive` that commands use. Commands import this file only when they run. */
export { migratePostgres, postgresState } from "../store/postgres/upgrade.ts";
export { backupDatabase, backupInto } from "./backup.ts";
export { compareFile } from "./compare.ts";
export { exportDatabase } from "./export.ts";
export { restoreFile } from "./restore.ts";
export { storageChecks } from "./storage-checks.ts";
export { lastTrialOf, tryNewest } from "./trial.ts";
export { NO_DIGEST, verifyFile } from "./verify.ts";
