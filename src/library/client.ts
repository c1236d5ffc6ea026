import { type CallOptions, call } from "../client/call.ts";
import { openClient } from "../client/client.ts";
import { type EventQuery, followEvents } from "../client/events.ts";
import type { Endpoint } from "../client/locate.ts";
import { processFolder } from "../config/env.ts";
import { instance } from "../contract/health.ts";
import type { CallInput, Output, Route } from "../contract/route.ts";
import { ownPackage } from "./package.ts";
import { type Place, placeEnv } from "./place.ts";

export { SvcError } from "../contract/errors.ts";
export { ForeignError, UnavailableError } from "../shared/answer-errors.ts";
export type { CallInput, CallOptions, Endpoint, EventQuery };

export interface ConnectOptions extends Place {
  /** A name of the catalog in config.toml (`[[daemon]]`). */
  readonly daemon?: string;
  /** Where the search for a `.svc.toml` that names a server begins; the working folder unless said. */
  readonly folder?: string;
  /** Whether a local daemon that does not run is started by the first call; `true` unless said. */
  readonly start?: boolean;
}

export interface FollowOptions {
  /** Events with greater ids; those from now on unless said. */
  readonly after?: number;
  /** Only events that fit. */
  readonly filter?: EventQuery;
  /** Ends the reading. */
  readonly signal?: AbortSignal;
}

/** An event as the daemon sent it, or a reset: everything that was read before is to be read again. */
export type FollowedEvent =
  | {
      readonly kind: "event";
      readonly id: number;
      readonly type: string;
      readonly event: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "reset"; readonly after: number };

export interface Connection {
  /**
   * Calls a route of `svc/contract`. Throws `SvcError` when the daemon refuses, `ForeignError` when it does so with a
   * code that this version does not know, and `UnavailableError` when no usable answer came.
   */
  call<T extends Route>(route: T, input: CallInput<T>, options?: CallOptions): Promise<Output<T>>;
  /** Events as they happen, across restarts of the daemon, each once and in order, until `signal` ends it. */
  events(options?: FollowOptions): AsyncGenerator<FollowedEvent, void, void>;
  /** Where the selected daemon answers; a local one is started unless `start` is `false`. */
  locate(): Promise<Endpoint>;
  /** Closes the connections to the daemon, which goes on. */
  close(): Promise<void>;
}

/** Selects a daemon as the command line does. Nothing is asked or started before the first call. */
export async function connect(options: ConnectOptions = {}): Promise<Connection> {
  const { daemon, folder = processFolder(), start = true } = options;
  const client = await openClient({
    program: ownPackage(),
    start: folder,
    env: placeEnv(options),
    autostart: start,
    ...(daemon === undefined ? {} : { daemon }),
  });
  return {
    call: async (route, input, more) => await call(client, route, input, more),
    events: (given = {}) => follow(client, given),
    locate: async () => await client.endpoint(),
    close: async () => await client.close(),
  };
}

type Client = Awaited<ReturnType<typeof openClient>>;

async function* follow(
  client: Client,
  { after, filter, signal = new AbortController().signal }: FollowOptions,
): AsyncGenerator<FollowedEvent, void, void> {
  const from = after ?? (await call(client, instance, {})).last_event_id;
  const items = followEvents(client, {
    after: from,
    signal,
    ...(filter === undefined ? {} : { filter }),
  });
  for await (const item of items) {
    if (item.kind === "reset") yield item;
    else yield { kind: "event", id: item.id, type: item.event, event: JSON.parse(item.data) };
  }
}
