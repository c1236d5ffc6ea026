import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that systems give to connections (32,768 and up on Linux), so that no connection takes a free port.
 */
const FIRST = 20_000;
const COUNT = 12_000;

/** A loopback port on which nothing listens. Two callers at the same time are unlikely to get the same port. */
export async function freePort(): Promise<number> {
  const port = FIRST + Math.floor(Math.random() * COUNT);
  const server = createServer().listen(port, "127.0.0.1");
  const isFree = await once(server, "listening").then(
    () => true,
    () => false,
  );
  if (!isFree) return await freePort();
  server.close();
  await once(server, "close");
  return port;
}
