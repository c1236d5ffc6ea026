import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { REBOUND } from "./installed-chromium.ts";

/** Serves one page of another site, and returns its address. */
export async function foreignPage(html: string): Promise<string> {
  const server = createServer((_, answer) => {
    answer.writeHead(200, { "content-type": "text/html" }).end(html);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://${REBOUND}:${(server.address() as AddressInfo).port}/`;
}
