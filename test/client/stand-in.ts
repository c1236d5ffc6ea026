import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { onTestFinished } from "vitest";
import type { Address } from "../../src/client/http/socket.ts";
import { CERTIFICATE, KEY } from "./certificate.ts";

export interface StandIn {
  readonly address: Address;
  /** Each request as it was received. */
  readonly requests: readonly string[];
  /** The number of connections that were made. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Returns the answer to a request, or `undefined` to leave it unanswered. */
export type Script = (request: string, socket: Socket, number: number) => string | undefined;

/** A server that sends exactly the bytes that the test wants, on its own Unix socket, on TCP or over TLS. */
export async function standIn(
  script: Script,
  where: "unix" | "tcp" | "tls" = "unix",
): Promise<StandIn> {
  const folder = mkdtempSync(join(tmpdir(), "svc-stand-in-"));
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const accept = (socket: Socket): void => {
    connections++;
    sockets.add(socket);
    let waiting = "";
    socket.on("error", () => undefined);
    socket.on("data", (piece) => {
      waiting += piece.toString("utf8");
      for (let length = requestLength(waiting); length > 0; length = requestLength(waiting)) {
        const request = waiting.slice(0, length);
        waiting = waiting.slice(length);
        const answer = script(request, socket, requests.push(request));
        if (answer !== undefined) socket.write(answer);
      }
    });
  };
  const server =
    where === "tls"
      ? createTlsServer({ cert: CERTIFICATE, key: KEY }, accept)
      : createServer(accept);
  const path = join(folder, "s");
  await listening(server, where === "unix" ? { path } : { port: 0, host: "127.0.0.1" });
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    rmSync(folder, { recursive: true, force: true });
  };
  onTestFinished(close);
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  const address: Address =
    where === "unix"
      ? { network: "unix", path }
      : { network: "tcp", host: "127.0.0.1", port, tls: where === "tls" };
  return { address, requests, connections: () => connections, close };
}

async function listening(
  server: Server,
  where: { path: string } | { port: number; host: string },
): Promise<void> {
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(where, resolve));
}

/** Returns the length of the first complete request in the text, or 0. Bodies in tests are ASCII. */
function requestLength(text: string): number {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return 0;
  const length = end + 4 + Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
  return text.length >= length ? length : 0;
}

export function json(status: number, body: unknown, headers = ""): string {
  const text = JSON.stringify(body);
  return `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

export const PONG = { ok: true, service: "svc", version: "9.9.9", pid: 1 };
