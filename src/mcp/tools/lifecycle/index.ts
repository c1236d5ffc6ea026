import type { Tool } from "../../tool.ts";
import { auditCloses } from "./audit-closes.ts";
import { close } from "./close.ts";
import { remove } from "./delete.ts";
import { purge } from "./purge.ts";
import { reopen } from "./reopen.ts";
import { restore } from "./restore.ts";
import { wait } from "./wait.ts";

export const tools: readonly Tool[] = [close, reopen, remove, restore, purge, wait, auditCloses];
