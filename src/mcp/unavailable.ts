import { ToolError } from "./failure.ts";

/**
 * Ends a call of a tool whose routes no daemon has yet: federation, issue sync and connectors. Its arguments and its
 * scope have been checked by then, so that a client learns of its own mistakes first.
 */
export function notAvailable(tool: string): never {
  throw new ToolError(`${tool}: not available on this daemon`);
}
