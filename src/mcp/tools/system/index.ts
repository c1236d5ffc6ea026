import type { Tool } from "../../tool.ts";
import { system } from "./system.ts";

export const tools: readonly Tool[] = [system];
