import type { Tool } from "../../tool.ts";
import { syncOnce } from "./sync-once.ts";
import { syncStatus } from "./sync-status.ts";
import { syncUpdate } from "./sync-update.ts";

export const tools: readonly Tool[] = [syncStatus, syncUpdate, syncOnce];
