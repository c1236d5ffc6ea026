import type { Tool } from "../../tool.ts";
import { storageExport } from "./storage-export.ts";
import { storageImport } from "./storage-import.ts";

export const tools: readonly Tool[] = [storageExport, storageImport];
