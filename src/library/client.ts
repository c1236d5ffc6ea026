import { type CallOptions, call, callRaw, parseAnswer } from "../client/call.ts";
import { openClient } from "../client/client.ts";
import { type EventQuery, followEvents } from "../client/events.ts";
import type { Endpoint } from "../client/locate.ts";
import { processFolder } from "../config/env.ts";
import type { pollEvents } from "../contract/activity.ts";
import type { EventKind, Payload } from "../contract/events.ts";
import { instance } from "../contract/health.ts";
import type { CallInput, Output, Route } from "../contract/route.ts";
import { ForeignError, UnavailableError } from "../shared/answer-errors.ts";
import type { LogCursor } from "../shared/follow-state.ts";
import { ownPackage } from "./package.ts";
import { type Place, placeEnv } from "./place.ts";

export { SvcError } from "../contract/errors.ts";
export type { CallInput, CallOptions, Endpoint, EventKind, EventQuery, Payload };
export { ForeignError, UnavailableError };

export interface ConnectOptions extends Place {
  /** The name of a `[[daemon]]` in config.toml; without it the daemon is selected as on the command line. */
  readonly daemon?: string;
  /** The search for a `.svc.toml` with a server starts in this folder and goes upwards; default: the working folder. */
  readonly folder?: string;
  /** True if the first call starts a local daemon when none runs; default: `true`. */
  readonly start?: boolean;
}

export interface FollowOptions {
  /** Only events with ids greater than this number; default: events from now on. */
  readonly after?: number;
  readonly filter?: EventQuery;
  /** Ends the iteration when aborted. */
  readonly signal?: AbortSignal;
}

/**
 * An event as the daemon sent it, or a reset. After a reset the caller must read everything again; the ids of the next
 * events are greater than `after`.
 */
export type FollowedEvent =
  | {
      [K in EventKind]: {
        readonly kind: "event";
        readonly id: number;
        readonly type: K;
        readonly event: EventOf<K>;
      };
    }[EventKind]
  | { readonly kind: "reset"; readonly after: number };

/** An event of one kind. A daemon of a later version may send kinds that this version does not know. */
export type EventOf<K extends EventKind> = Omit<Envelope, "type" | "payload"> & {
  readonly type: K;
  readonly payload: Payload<K>;
};

type Envelope = Output<typeof pollEvents>["events"][number];

export interface Connection {
  /**
   * Calls a route of `svc/contract`. Throws `SvcError` if the daemon refuses, `ForeignError` if it refuses with a code
   * that this version does not know, and `UnavailableError` if there is no usable answer.
   */
  call<T extends Route>(route: T, input: CallInput<T>, options?: CallOptions): Promise<Output<T>>;
  /** Yields events as they happen, each once and in order, across restarts of the daemon, until `signal` is aborted. */
  events(options?: FollowOptions): AsyncGenerator<FollowedEvent, void, void>;
  /** Returns the address of the selected daemon; starts a local one unless `start` is `false`. */
  locate(): Promise<Endpoint>;
  /**
   * Closes the connections and ends all iterations over events. Later calls throw `UnavailableError`. The daemon keeps
   * running.
   */
  close(): Promise<void>;
}

/** Selects a daemon as the command line does. No request is sent and no daemon is started before the first call. */
export async function connect(options: ConnectOptions = {}): Promise<Connection> {
  const { daemon, folder = processFolder(), start = true } = options;
  const client = await openClient({
    program: ownPackage(),
    start: folder,
    env: placeEnv(options),
    autostart: start,
    ...(daemon === undefined ? {} : { daemon }),
  });
  const closed = new AbortController();
  const refuseClosed = (): void => {
    if (closed.signal.aborted) throw new UnavailableError("this connection is closed");
  };
  return {
    // Programs compute with the numbers of an answer, so the answer contains no raw JSON values.
    call: async (route, input, more) => {
      refuseClosed();
      const answer = await callRaw(client, route, input, more);
      return parseAnswer<typeof route>(answer.body, JSON.parse);
    },
    events: async function* ({ signal, ...given } = {}) {
      refuseClosed();
      const ended = signal === undefined ? [closed.signal] : [signal, closed.signal];
      yield* follow(client, { ...given, signal: AbortSignal.any(ended) });
    },
    locate: async () => {
      refuseClosed();
      return await client.endpoint();
    },
    close: async () => {
      closed.abort();
      await client.close();
    },
  };
}

type Client = Awaited<ReturnType<typeof openClient>>;

async function* follow(
  client: Client,
  { after, filter, signal }: FollowOptions & { readonly signal: AbortSignal },
): AsyncGenerator<FollowedEvent, void, void> {
  const from: LogCursor = after === undefined ? await endOf(client) : { cursor: after };
  const items = followEvents(client, {
    after: from.cursor,
    log: from.log,
    signal,
    ...(filter === undefined ? {} : { filter }),
  });
  for await (const item of items) {
    if (item.kind === "reset") {
      yield item;
      continue;
    }
    const event = JSON.parse(item.data);
    yield { kind: "event", id: item.id, type: event.type, event };
  }
}

async function endOf(client: Client): Promise<LogCursor> {
  const { last_event_id: cursor, epoch, chain } = await call(client, instance, {});
  return epoch === undefined ? { cursor } : { cursor, log: { epoch, chain } };
}
