import type { Tool } from "../../tool.ts";
import { importIssues } from "./import-issues.ts";

export const tools: readonly Tool[] = [importIssues];
