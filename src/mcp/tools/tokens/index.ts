import type { Tool } from "../../tool.ts";
import { tokenCreate } from "./token-create.ts";
import { tokenRevoke } from "./token-revoke.ts";
import { tokens as list } from "./tokens.ts";

export const tools: readonly Tool[] = [list, tokenCreate, tokenRevoke];
