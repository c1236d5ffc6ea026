import type { H3Event } from "h3";
import { streamEvents } from "../../contract/activity.ts";
import { invalidField, SvcError } from "../../contract/errors.ts";
import { LOG_HEADER } from "../../contract/log-mark.ts";
import { type Input, pageReachOf } from "../../contract/route.ts";
import { BASE_PATH } from "../../contract/version.ts";
import { eventFilterOf } from "../../ops/events/filter.ts";
import { sentLog } from "../../ops/events/reset.ts";
import type { Store } from "../../store/types/store.ts";
import { sessionOf } from "../access/session-gate.ts";
import type { App } from "../app.ts";
import { errorReply, Reply, TAKEN_OVER } from "../replies/reply.ts";
import { goneOf, headerOf, incomingOf, SocketEvent } from "../requests/event.ts";
import { ClientGone } from "../requests/incoming.ts";
import { parserOf } from "../requests/parse.ts";
import { StreamClient } from "../stream/client.ts";
import type { EventHub } from "../stream/hub.ts";
import {
  PiecesSink,
  SocketSink,
  STREAM_HEADERS,
  type StreamHeaders,
  type StreamSink,
} from "../stream/sinks.ts";

export interface StreamDeps {
  readonly store: Pick<Store, "read">;
  readonly hub: EventHub;
}

/**
 * Adds `GET /events/stream` (docs/contract/http-api.md#54-the-stream). It does not use `bind`, because its answer never
 * ends.
 */
export function streamRoute(app: App, { store, hub }: StreamDeps): void {
  const parse = parserOf(streamEvents);
  app.on(streamEvents.method, BASE_PATH + streamEvents.path, async (event) => {
    const { tokenId } = await app.host.authenticate(
      event,
      streamEvents.access,
      pageReachOf(streamEvents),
    );
    // h3 would treat a HEAD like a GET, and its answer would never end.
    if (event.req.method !== "GET")
      return errorReply(new SvcError("method_not_allowed"), { allow: "GET" });
    if (!acceptsStream(headerOf(event, "accept"))) throw new SvcError("not_acceptable");
    const input = await parse(incomingOf(event), event.context.params ?? {});
    const from = { cursor: cursorOf(input), log: sentLog(input.headers["x-svc-log"]) };
    const { filter, epoch } = await store.read(async (reader) => ({
      filter: await eventFilterOf(reader, input.query),
      epoch: (await reader.events.head()).epoch,
    }));
    const { reply, sink } = sinkOf(event, { ...STREAM_HEADERS, [LOG_HEADER.toLowerCase()]: epoch });
    if (sink.gone.aborted) throw new ClientGone();
    const end = app.host.beginForeground();
    const gone = (): void => {
      hub.remove(client);
      end();
    };
    const client = new StreamClient(sink, from, filter, gone, tokenId);
    void hub.serve(client);
    void cutWithSession(app, event, client, sink.gone);
    return reply;
  });
}

/** Ends the stream of a page when the page's session ends: it expires, the person logs out, or the token is revoked. */
async function cutWithSession(
  { host: { browser } }: App,
  event: H3Event,
  client: StreamClient,
  gone: AbortSignal,
): Promise<void> {
  if (browser === undefined || !(event instanceof SocketEvent)) return;
  const session = sessionOf(event, browser.sessions);
  if (session === undefined) return;
  await browser.sessions.whenOver(session, gone);
  client.cut();
}

/**
 * Returns the sink of the stream: the socket of the request if it came to one of the daemon's listeners, otherwise the
 * body of the reply.
 */
function sinkOf(
  event: H3Event,
  headers: StreamHeaders,
): { readonly reply: Reply; readonly sink: StreamSink } {
  if (event instanceof SocketEvent) {
    const { res } = event.connection;
    const { socket } = res;
    // The socket closed while the request was being read, so no `close` event will follow.
    if (socket === null || socket.destroyed) throw new ClientGone();
    return { reply: TAKEN_OVER, sink: new SocketSink(res, socket, headers) };
  }
  const sink = new PiecesSink(goneOf(event));
  return { reply: new Reply(200, headers, sink), sink };
}

/**
 * True if the client accepts an event stream. A request without an `Accept` header does not count, because its client
 * might wait for ever for the end of the answer.
 */
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
  throw invalidField("Last-Event-ID", "must be an event id");
}
