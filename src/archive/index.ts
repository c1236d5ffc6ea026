/** What commands load of this room, and only when they run. */
export { type Account } from "./beads/account.ts";
export { readBeadsFile } from "./beads/read.ts";
export { reportAccount } from "./beads/report.ts";
export { exportDatabase } from "./export.ts";
export { type RestoreResult, restoreFile } from "./restore.ts";
export { type SendResult, sendItems } from "./send.ts";
export { storageChecks } from "./storage-checks.ts";
export type { Target } from "./target.ts";
