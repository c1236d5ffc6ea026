import type { Tool } from "../../tool.ts";
import { digest } from "./digest.ts";
import { events } from "./events.ts";

export const tools: readonly Tool[] = [digest, events];
