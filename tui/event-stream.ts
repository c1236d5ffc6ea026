import type { Clock } from "../src/base/clock.ts";
import type { Client } from "../src/client/client.ts";
import { followEvents } from "../src/client/events.ts";
import type { EventStream } from "../src/screen/effects/live.ts";

/**
 * Returns the event stream of the client's daemon. If the daemon stops unexpectedly, the stream restarts the daemon,
 * but only if this program had started it.
 */
export function streamOf(client: Client, clock: Clock): EventStream {
  return (options) => followEvents(client, { ...options, clock, revives: () => client.hasStarted });
}
