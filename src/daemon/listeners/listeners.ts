import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../../base/clock.ts";
import type { RecordedListener } from "../../client/record.ts";
import { formatHostPort, scopeOfAddress } from "../../config/addresses.ts";
import type { WebOrigin } from "../access/browser.ts";
import type { App } from "../app.ts";
import {
  describeListener,
  type ListenerDescriptor,
  type ListenerRules,
  LOCAL_ID,
  type Place,
} from "../listener.ts";
import { TAKEN_OVER } from "../replies/reply.ts";
import { UnreadAnswers } from "../replies/unread.ts";
import { SlowRequests } from "../requests/slow-requests.ts";
import { boundConnections } from "./bound-connections.ts";
import type { Certificate } from "./certificate.ts";
import { OpenRequests } from "./open-requests.ts";
import { recordedListener } from "./record.ts";
import { isLong, send } from "./send.ts";
import { prepareSocket, sealSocket, socketKeeper } from "./socket.ts";
import { listenPlain, listenTcp, type TcpServer, withPort } from "./tcp.ts";

export type Endpoint =
  | { readonly network: "unix"; readonly address: string }
  | {
      readonly network: "tcp";
      readonly address: string;
      /** The listener's own certificate in PEM, without the rest of its chain. Present if the listener speaks HTTPS. */
      readonly certificate?: string;
    };

export interface Listener {
  readonly described: ListenerDescriptor;
  readonly endpoint: Endpoint;
  /** The listener's entry in the daemon's record file. */
  readonly recorded: RecordedListener;
  /**
   * The origin of the listener's pages; `undefined` for a Unix socket, and for an address that a browser cannot open.
   */
  readonly web: WebOrigin | undefined;
  readonly showCode?: () => Promise<void>;
  /**
   * Replaces the certificate for new connections; open ones keep the old one. Present only if the listener speaks
   * HTTPS.
   */
  readonly replaceCertificate?: (certificate: Certificate) => void;
  pending(): number;
  quiet(): Promise<void>;
  closeIdle(): void;
  /** Stops listening, closes all connections and removes the socket's file. */
  close(): Promise<void>;
}

/**
 * How long an idle connection stays open. Clients close idle connections sooner, so they never send a request on one
 * that the daemon is about to close.
 */
const KEEP_ALIVE_MS = 75_000;

export interface ListenOptions {
  readonly id: string;
  /** If set, a TCP listener speaks HTTPS. */
  readonly certificate?: Certificate | undefined;
  readonly rules?: ListenerRules | undefined;
  /** True for a listener that serves pages only. */
  readonly pages?: boolean;
  /** The port to listen on if the place has port 0, which allows any port. */
  readonly port?: number | undefined;
}

export async function listen(
  app: App,
  configured: Place,
  clock: Clock,
  { id, certificate, rules, pages, port }: ListenOptions = { id: LOCAL_ID },
): Promise<Listener> {
  const place =
    "path" in configured
      ? configured
      : await withPort({ ...configured, port: port ?? configured.port });
  const secure = certificate !== undefined;
  const descriptor = describeListener({ id, pages, configured, place, secure, rules });
  const requests = new OpenRequests();
  const unread = new UnreadAnswers(clock, app.host.refusals);
  const slow = new SlowRequests(clock, app.host.refusals);
  const watches = { requests, unread, slow };
  const answer = requestListener(app, descriptor, watches);
  const { server, ...shown } = await open(place, certificate, answer, pages);
  slow.watch(server, secure ? "secureConnection" : "connection");
  const socket = "path" in place ? socketKeeper(place.path) : undefined;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  if (!("path" in place)) boundConnections(server, descriptor, slow, clock, app.host.log);
  return {
    described: descriptor,
    endpoint: endpointOf(server, place, certificate),
    recorded: recordedListener(descriptor, secure && !("path" in place)),
    web: webOriginOf(descriptor, configured, rules),
    ...shown,
    pending: () => requests.count,
    quiet: async () => await requests.none(),
    closeIdle: () => server.closeIdleConnections(),
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        const end = (): unknown => server.close(() => resolve());
        if (socket === undefined) end();
        else socket(end);
      });
      unread.stop();
      slow.stop();
      server.closeAllConnections();
      await closed;
    },
  };
}

function webOriginOf(
  { origin, kind }: ListenerDescriptor,
  configured: Place,
  rules: ListenerRules | undefined,
): WebOrigin | undefined {
  if (origin === undefined || kind === "socket" || "path" in configured) return undefined;
  const isPublic = rules?.publicOrigin !== undefined;
  // A browser cannot open a wildcard address.
  if (!isPublic && scopeOfAddress(configured.host) === "wildcard") return undefined;
  return { origin, stable: isPublic || configured.port !== 0 };
}

async function open(
  place: Place,
  certificate: Certificate | undefined,
  answer: RequestListener,
  pages = false,
): Promise<Pick<TcpServer, "server"> & Partial<TcpServer>> {
  if ("path" in place) return { server: await listenUnix(answer, place.path) };
  if (pages && certificate === undefined) return { server: await listenPlain(answer, place) };
  return await listenTcp(answer, place, certificate);
}

/**
 * The status of the answer to a request that did not arrive in time. The connection is then closed, because the rest of
 * the request may still arrive on it.
 */
const TIMED_OUT = 408;

interface ConnectionWatches {
  readonly requests: OpenRequests;
  readonly unread: UnreadAnswers;
  readonly slow: SlowRequests;
}

function requestListener(
  app: App,
  listener: ListenerDescriptor,
  { requests, unread, slow }: ConnectionWatches,
): RequestListener {
  return (req, res) => {
    requests.begin();
    res.once("close", () => requests.end());
    slow.begun(req, res);
    void app.handle({ listener, req, res, slow }).then(async (reply) => {
      if (reply === TAKEN_OVER) return;
      if (isLong(reply)) unread.watch(res);
      const close: Record<string, string> =
        app.host.stopping() || reply.status === TIMED_OUT ? { connection: "close" } : {};
      await send(res, reply, close).catch((error: unknown) => {
        app.host.log.warn("answer.cut", { path: req.url?.split("?", 1)[0], error });
      });
      if (!res.closed && req.socket.writableLength > 0) unread.watch(res);
    });
  };
}

async function listenUnix(answer: RequestListener, path: string): Promise<Server> {
  await prepareSocket(path);
  const server = createServer(answer);
  await new Promise<void>((resolve, reject) => {
    server
      .once("error", reject)
      .listen({ path }, () => resolve(server.off("error", reject) && undefined));
  });
  sealSocket(path);
  return server;
}

function endpointOf(server: Server, place: Place, certificate: Certificate | undefined): Endpoint {
  if ("path" in place) return { network: "unix", address: place.path };
  const { address, port } = server.address() as AddressInfo;
  return {
    network: "tcp",
    address: formatHostPort({ host: address, port }),
    ...(certificate === undefined ? {} : { certificate: certificate.leaf }),
  };
}
