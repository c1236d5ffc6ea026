import { ToolError } from "./failure.ts";

/**
 * Fails a call of a tool that is listed and does not work yet: bridges and fields of connectors have routes and
 * commands, and their tools do not call them. Call this after the arguments and the scope were checked, so
 * that a client first learns of its own mistakes.
 */
export function notAvailable(tool: string): never {
  throw new ToolError(`${tool}: not available on this daemon`);
}
