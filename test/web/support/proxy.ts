import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A reverse proxy that names a person to the daemon in `X-User`, whatever the browser sends there; it may add headers. */
export interface Proxy {
  readonly origin: string;
  /** Whom it names from now on. */
  signIn(person: string): void;
  /** Whether the proxy lets event streams through; otherwise it answers 502 for them. At first it does. */
  letStreams(through: boolean): void;
}

export async function proxyTo(
  address: string,
  token: string,
  added: Readonly<Record<string, string>> = {},
): Promise<Proxy> {
  let person = "nobody";
  let hasStreams = true;
  const server = createServer((asked, answer) => {
    if (!hasStreams && asked.url?.endsWith("/events/stream")) {
      answer.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad Gateway</h1>");
      return;
    }
    const authorization = `Bearer ${token}`;
    const headers = { ...asked.headers, "x-user": person, authorization, ...added };
    const [host, port] = address.split(":");
    const passed = request({ host, port, method: asked.method, path: asked.url, headers });
    passed.on("response", (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      answer.flushHeaders();
      given.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    asked.pipe(passed);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    signIn: (name) => {
      person = name;
    },
    letStreams: (through) => {
      hasStreams = through;
    },
  };
}
