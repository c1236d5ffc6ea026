import { Agent, createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { systemClock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { type Route, routesOf } from "../../src/contract/route.ts";
import { shape } from "../../src/contract/shape.ts";
import { type Authentication, authenticator } from "../../src/daemon/access/authenticate.ts";
import { type App, type AppHost, createApp } from "../../src/daemon/app.ts";
import { bind } from "../../src/daemon/bind.ts";
import { describeListener, type ListenerDescriptor } from "../../src/daemon/listener.ts";
import { send } from "../../src/daemon/listeners/send.ts";
import { TAKEN_OVER } from "../../src/daemon/replies/reply.ts";
import { SlowRequests } from "../../src/daemon/requests/slow-requests.ts";
import type { Right } from "../../src/domain/access/rights.ts";
import type { UngatedDeps } from "../../src/ops/deps.ts";
import { tempFolder } from "./daemon.ts";
import { DETACHED_HOST } from "./detached-host.ts";
import { sawBody } from "./seen.ts";

const route = routesOf("test");
const Answer = shape(() => z.looseObject({}));
const Body = shape(() =>
  z.strictObject({ actor: z.string().optional(), holder: z.string().optional() }),
);
const reads = { access: "read", summary: "reads", response: Answer } as const;
const writes = { access: "write", summary: "writes", response: Answer } as const;
const Query = shape(() => z.object({ actor: z.string().optional() }));

/** One route for each right and method in the access tables. */
const ROUTES: readonly Route[] = [
  route({ ...reads, id: "open", access: "open", method: "GET", path: "/open" }),
  route({ ...reads, id: "read", method: "GET", path: "/read", query: Query }),
  route({ ...reads, id: "ask", method: "POST", path: "/read", body: Body }),
  route({ ...reads, id: "stream", access: "stream", method: "GET", path: "/stream" }),
  route({ ...writes, id: "write", method: "POST", path: "/write", body: Body }),
  route({ ...writes, id: "remove", method: "DELETE", path: "/write", query: Query }),
  route({ ...writes, id: "tokens", access: "tokens", method: "GET", path: "/tokens" }),
  route({ ...writes, id: "token", access: "tokens", method: "POST", path: "/tokens", body: Body }),
  route({ ...writes, id: "list", access: "connectors", method: "GET", path: "/connectors" }),
  route({
    ...{ ...writes, id: "use", access: "connectors", method: "POST" },
    ...{ path: "/connectors", body: Body },
  }),
];

/** An app whose routes answer with the principal and the input that they got. */
export function accessApp(authentication: Authentication, host: Partial<AppHost> = {}): App {
  const authenticate = authenticator(authentication);
  const app = createApp({ ...DETACHED_HOST, authenticate, ...host });
  const noDeps = { store: {} } as unknown as UngatedDeps;
  for (const one of ROUTES)
    bind(app, noDeps, one, async (_deps, who, { query, body }) => ({ who, query, body }));
  app.on("GET", "/debug/pprof/heap", async (event) => {
    return JSON.stringify({ who: await authenticate(event, "profile") });
  });
  return app;
}

export const pathOf = (right: Right): string =>
  right === "profile" ? "/debug/pprof/heap" : `/api/v1/${right}`;

export interface Door {
  readonly listener: ListenerDescriptor;
  ask(method: string, path: string, headers?: readonly string[], body?: object): Promise<Answered>;
  /** Like the function above, but sends exactly these headers, `Host` included. */
  send(method: string, path: string, headers: readonly string[], body?: Body): Promise<Answered>;
}

type Body = string | Uint8Array | undefined;

export interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Readonly<Record<string, unknown>>;
  /** The error code, if the request was refused. */
  readonly code: string | undefined;
}

/** Makes a real listener for the app. `changes` are what a daemon would take from its settings. */
export async function openDoor(
  app: App,
  network: "unix" | "tcp",
  changes: Partial<ListenerDescriptor> = {},
): Promise<Door> {
  const slow = new SlowRequests(systemClock, silentLog);
  let listener = describeListener({
    id: "test",
    configured: { path: "" },
    place: { path: "" },
    secure: false,
  });
  const server = createServer((req, res) => {
    void app.handle({ listener, req, res, slow }).then(async (reply) => {
      if (reply !== TAKEN_OVER) await send(res, reply, {});
    });
  });
  onTestFinished(() => {
    slow.stop();
    server.closeAllConnections();
    server.close();
  });
  const path = join(tempFolder(), "s");
  await new Promise<void>((resolve) => {
    if (network === "unix") server.listen(path, resolve);
    else server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = network === "unix" ? { port: 0 } : (server.address() as AddressInfo);
  const place = network === "unix" ? { path } : { host: "127.0.0.1", port };
  listener = {
    ...describeListener({ id: "test", configured: place, place, secure: false }),
    ...changes,
  };
  const to = network === "unix" ? { socketPath: path } : { host: "127.0.0.1", port };
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const door: Door = {
    listener,
    ask: async (method, target, headers = [], body) => {
      const host = ["Host", `127.0.0.1:${port}`];
      if (body === undefined) return await door.send(method, target, [...host, ...headers]);
      const all = [...host, "Content-Type", "application/json", ...headers];
      return await door.send(method, target, all, JSON.stringify(body));
    },
    send: async (method, target, headers, body) => {
      // Sent as bytes, because with a text Node would encode the headers like the text.
      const bytes = body === undefined ? undefined : Buffer.from(body);
      const length = bytes === undefined ? [] : ["Content-Length", String(bytes.byteLength)];
      const sent = request({
        ...to,
        method,
        path: target,
        headers: [...headers, ...length],
        agent,
      });
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        sent.once("response", resolve).once("error", reject).end(bytes);
      });
      return await answeredBy(response);
    },
  };
  return door;
}

/** The body of a stream is not read to its end, because it has none. */
async function answeredBy(response: IncomingMessage): Promise<Answered> {
  const { statusCode: status = 0, headers } = response;
  if (headers["content-type"] === "text/event-stream") {
    response.destroy();
    return { status, headers, body: {}, code: undefined };
  }
  let text = "";
  for await (const piece of response.setEncoding("utf8")) text += String(piece);
  const body = text === "" ? {} : JSON.parse(text);
  sawBody(body);
  return { status, headers, body, code: body.error?.code };
}
