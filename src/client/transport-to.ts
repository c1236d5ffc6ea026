import type { ScreenRoutes, Transport } from "../shared/transport.ts";
import { call, callRaw } from "./call.ts";
import type { Client } from "./client.ts";

/**
 * Creates a transport to the client's daemon. It has only the given routes, so that a caller loads only their schemas.
 */
export function transportTo<Known extends keyof ScreenRoutes>(
  client: Client,
  routes: Pick<ScreenRoutes, Known>,
): Transport<Known> {
  return {
    call: async (id, input) => await call(client, routes[id], input),
    text: async (id, input) => {
      const { body } = await callRaw(client, routes[id], input);
      return body.toString("utf8");
    },
  };
}
