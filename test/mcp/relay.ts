import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { parseHostPort } from "../../src/config/addresses.ts";
import type { TestDaemon } from "../support/daemon.ts";

/** One request that passed: its method and path, and its headers. */
interface Passed {
  readonly what: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface Relay {
  readonly url: string;
  readonly passed: readonly Passed[];
}

/**
 * Passes requests on to a daemon that listens on TCP, and remembers them. With `apiVersion` the daemon's health names
 * that version of the API.
 */
export async function relayTo({ endpoint }: TestDaemon, apiVersion?: string): Promise<Relay> {
  const { host, port } = parseHostPort(endpoint.address) ?? {};
  const passed: Passed[] = [];
  const server = createServer((req, res) => {
    const { method, url: path, headers } = req;
    passed.push({ what: `${method} ${path}`, headers });
    const asked = request({ host, port, method, path, headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => void pieces.push(piece));
      answer.once("end", () => {
        const text = Buffer.concat(pieces);
        const isHealth = path === "/api/v1/health" && apiVersion !== undefined;
        const sent = isHealth ? withVersion(text, apiVersion) : text;
        const { "content-length": _old, "transfer-encoding": _none, ...rest } = answer.headers;
        res.writeHead(answer.statusCode ?? 500, { ...rest, "content-length": sent.byteLength });
        res.end(sent);
      });
    });
    asked.once("error", () => res.destroy());
    req.pipe(asked);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, passed };
}

function withVersion(health: Buffer, api_schema_version: string): Buffer {
  return Buffer.from(JSON.stringify({ ...JSON.parse(health.toString()), api_schema_version }));
}
