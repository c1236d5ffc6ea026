import type { Listener } from "./listeners.ts";
import type { OpenRequests } from "./open-requests.ts";

/** Stands in for a listener where requests come by the app alone: whoever serves it has its own. */
export function noListener(requests: OpenRequests): Listener {
  return {
    pending: () => requests.count,
    quiet: async () => await requests.none(),
    closeIdle: () => undefined,
    close: async () => undefined,
  };
}
