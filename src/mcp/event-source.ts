import type { Clock } from "../base/clock.ts";
import { call } from "../client/call.ts";
import type { Client } from "../client/client.ts";
import { followEvents } from "../client/events.ts";
import { instance } from "../contract/health.ts";
import type { EventSource } from "./news.ts";
import type { Reach } from "./scope.ts";

/**
 * Returns the event stream for this server: of its project, or of all projects. Returns `undefined` for a server of a
 * list of projects, because a stream has one fixed filter, while the projects on the list may come and go
 * (docs/contract/tools.md#92-events).
 */
export function eventsOf(client: Client, clock: Clock, reach: Reach): EventSource | undefined {
  if (reach.kind === "allowlist") return undefined;
  const filter = reach.kind === "project" ? { project_id: [reach.id] } : {};
  return {
    end: async () => {
      const { last_event_id, epoch, chain } = await call(client, instance, {});
      // A remote daemon may be too old to report this id, or the epoch of the log.
      if (!Number.isInteger(last_event_id)) return undefined;
      return { cursor: last_event_id, log: epoch === undefined ? undefined : { epoch, chain } };
    },
    follow: ({ cursor: after, log }, signal) =>
      followEvents(client, { after, log, filter, signal, clock, hasAnswered: true }),
  };
}
