import type { Clock } from "../base/clock.ts";
import { call } from "../client/call.ts";
import type { Client } from "../client/client.ts";
import { followEvents } from "../client/events.ts";
import type { CallInput, Output, Route } from "../contract/route.ts";
import type { LogCursor } from "../shared/follow-state.ts";

/** The requests that one tool call makes to the daemon. */
export interface Daemon {
  /** Calls a route; throws the daemon's refusal as `SvcError`. */
  call<R extends Route>(route: R, input: CallInput<R>): Promise<Output<R>>;
  /**
   * Resolves when the event log has an event after this place, or turns out to be another log, or when `ms` have passed.
   * If a project is given, only its events count.
   */
  news(after: LogCursor, project_id: number | undefined, ms: number): Promise<void>;
}

/** Returns the functions by which one tool call uses the daemon. Its requests end when the signal is aborted. */
export function daemonOf(client: Client, clock: Clock, signal: AbortSignal): Daemon {
  return {
    call: async (route, input) => await call(client, route, input, { signal }),
    news: async ({ cursor: after, log }, project_id, ms) => {
      const over = new AbortController();
      const ended = AbortSignal.any([signal, over.signal]);
      const timer = clock.sleep(ms, ended).then(() => over.abort());
      const filter = project_id === undefined ? {} : { project_id: [project_id] };
      try {
        const items = followEvents(client, { after, log, filter, signal: ended, clock });
        for await (const _item of items) break;
      } finally {
        over.abort();
        await timer;
      }
    },
  };
}
