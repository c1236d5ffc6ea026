import type { Tool } from "../../tool.ts";
import { recurrenceDelete } from "./recurrence-delete.ts";
import { recurrenceUpdate } from "./recurrence-update.ts";
import { recurrences } from "./recurrences.ts";

export const tools: readonly Tool[] = [recurrences, recurrenceUpdate, recurrenceDelete];
