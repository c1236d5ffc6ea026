import { streamEvents } from "../contract/activity.ts";
import { SvcError } from "../contract/errors.ts";
import { BASE_PATH, type Input } from "../contract/route.ts";
import type { EventFilter } from "../domain/event-filter.ts";
import { eventFilterOf } from "../ops/events/filter.ts";
import type { Store } from "../store/types.ts";
import type { App } from "./app.ts";
import type { EventHub } from "./hub.ts";
import { ClientGone, type Incoming } from "./incoming.ts";
import { parserOf } from "./parse.ts";
import { errorReply, type Reply, TAKEN_OVER } from "./reply.ts";
import { StreamClient } from "./stream-client.ts";

export interface StreamDeps {
  readonly store: Pick<Store, "read">;
  readonly hub: EventHub;
}

/** `GET /events/stream` (facts http-api 5.4). It writes to the socket itself, so it is joined apart from `bind`. */
export function streamRoute(app: App, { store, hub }: StreamDeps): void {
  const parse = parserOf(streamEvents);
  app.on(streamEvents.method, BASE_PATH + streamEvents.path, async (incoming, params) => {
    // A HEAD would be answered like a GET and then wait for ever.
    if (incoming.method !== "GET")
      return errorReply(new SvcError("method_not_allowed"), { allow: "GET" });
    if (!acceptsStream(incoming.header("accept"))) throw new SvcError("not_acceptable");
    const input = await parse(incoming, params);
    const from = cursorOf(input);
    const filter = await store.read(async (reader) => await eventFilterOf(reader, input.query));
    return open(app, hub, incoming, from, filter);
  });
}

function open(
  app: App,
  hub: EventHub,
  { node }: Incoming,
  from: number,
  filter: EventFilter,
): Reply {
  const socket = node?.res.socket;
  if (node === undefined || socket === null || socket === undefined) {
    throw new SvcError("unavailable", {}, { message: "events are streamed over a socket only" });
  }
  // Gone while the request was read: there would be no close to hear of.
  if (socket.destroyed) throw new ClientGone();
  const end = app.host.beginForeground();
  const client = new StreamClient(node.res, socket, from, filter, () => {
    hub.remove(client);
    end();
  });
  void hub.serve(client);
  return TAKEN_OVER;
}

/** A missing header is a refusal too: a client that did not ask for a stream would wait for an end that never comes. */
function acceptsStream(accept: string | undefined): boolean {
  const types = (accept ?? "")
    .split(",")
    .map((item) => item.split(";", 1)[0]?.trim().toLowerCase());
  return types.includes("text/event-stream") || types.includes("*/*");
}

function cursorOf({ query, headers }: Input<typeof streamEvents>): number {
  const last = headers["last-event-id"];
  if (last === undefined) return query.after_id ?? 0;
  if (query.after_id !== undefined) throw new SvcError("cursor_conflict");
  if (/^\d{1,15}$/.test(last)) return Number(last);
  throw new SvcError(
    "validation",
    { field: "Last-Event-ID" },
    { message: "Last-Event-ID: must be an event id" },
  );
}
