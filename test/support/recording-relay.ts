import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { TestDaemon } from "./daemon.ts";

/** Where a request for events begins: after the event with this id, in the log with this mark. */
export interface AskedPlace {
  readonly after: string | undefined;
  readonly log: string | undefined;
}

export interface RecordingRelay {
  readonly origin: string;
  /** Where each request for events began that was passed on: requests for streams, and for pages of the log. */
  readonly asked: readonly AskedPlace[];
  /** Ends all connections, as a broken network does. */
  cut(): void;
  /** From now on, requests for streams are answered with 403, as by a proxy that passes no streams on. */
  refuseStreams(): void;
}

const EVENTS = /\/events(?:\/stream)?$/;

/** Passes requests on to the socket of a daemon, and remembers where the requests for events begin. */
export async function recordingRelay({ endpoint }: TestDaemon): Promise<RecordingRelay> {
  const asked: AskedPlace[] = [];
  let hasStreams = true;
  const server = createServer((given, answer) => {
    const { pathname, searchParams } = new URL(given.url ?? "/", "http://relay");
    if (!hasStreams && pathname.endsWith("/stream")) return void answer.writeHead(403).end();
    if (EVENTS.test(pathname)) asked.push(placeOf(given.headers, searchParams));
    const { method, url: path, headers } = given;
    const passed = request({ socketPath: endpoint.address, method, path, headers, agent: false });
    passed.on("response", (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers).flushHeaders();
      response.on("error", () => answer.destroy()).pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    given.pipe(passed);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    cut: () => server.closeAllConnections(),
    refuseStreams: () => {
      hasStreams = false;
    },
  };
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

function placeOf(headers: Headers, query: URLSearchParams): AskedPlace {
  return {
    after: headers["last-event-id"]?.toString() ?? query.get("after_id") ?? undefined,
    log: headers["x-svc-log"]?.toString(),
  };
}
