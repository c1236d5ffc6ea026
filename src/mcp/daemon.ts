import { call } from "../client/call.ts";
import type { Client } from "../client/client.ts";
import type { CallInput, Output, Route } from "../contract/route.ts";

/** The requests that one tool call makes to the daemon. */
export interface Daemon {
  /** Calls a route; throws the daemon's refusal as `SvcError`. */
  call<R extends Route>(route: R, input: CallInput<R>): Promise<Output<R>>;
}

/** Returns the functions by which one tool call uses the daemon. Its requests end when the signal is aborted. */
export function daemonOf(client: Client, signal: AbortSignal): Daemon {
  return { call: async (route, input) => await call(client, route, input, { signal }) };
}
