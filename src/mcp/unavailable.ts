import { ToolError } from "./failure.ts";

/**
 * Fails a call of a tool whose routes no daemon has yet: bridges and fields of connectors. Call this after the
 * arguments and the scope were checked, so that a client first learns of its own mistakes.
 */
export function notAvailable(tool: string): never {
  throw new ToolError(`${tool}: not available on this daemon`);
}
