import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface BearerRelay {
  readonly port: number;
  stop(): void;
}

/**
 * Passes requests on to a server on loopback and adds the server's token, for clients that cannot send a token. If
 * `Host` or `Origin` names the relay, the header gets the address of the server instead. Any other value is passed on
 * as it is.
 */
export async function bearerRelay(to: {
  readonly port: number;
  readonly token: string;
}): Promise<BearerRelay> {
  let own = 0;
  const server = createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${to.token}` };
    for (const name of ["host", "origin"] as const) renamePort(headers, name, own, to.port);
    const { method, url: path } = req;
    const target = { host: "127.0.0.1", port: to.port, method, path, headers, setHost: false };
    const asked = request(target, (answer) => {
      res.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(res);
    });
    asked.once("error", () => res.destroy());
    res.once("close", () => asked.destroy());
    req.pipe(asked);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  own = (server.address() as AddressInfo).port;
  return {
    port: own,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function renamePort(
  headers: IncomingHttpHeaders,
  name: "host" | "origin",
  from: number,
  to: number,
): void {
  const value = headers[name];
  if (value !== undefined)
    headers[name] = value.replace(
      new RegExp(`(127\\.0\\.0\\.1|localhost):${from}$`),
      `127.0.0.1:${to}`,
    );
}
