import type { Listener } from "./listeners.ts";
import type { OpenRequests } from "./open-requests.ts";

/** Replaces the listener of a daemon whose requests come through the app alone. */
export function noListener(requests: OpenRequests): Listener {
  return {
    pending: () => requests.count,
    quiet: async () => await requests.none(),
    closeIdle: () => undefined,
    close: async () => undefined,
  };
}
