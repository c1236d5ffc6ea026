import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { onTestFinished } from "vitest";

/**
 * Starts a program of the daemon's own user that passes every connection on to the address. Like an SSH tunnel or a
 * container's port, it does not say that it forwards. Returns its origin.
 */
export async function forwarderTo(origin: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const server = createServer((client) => {
    const daemon = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, daemon],
      [daemon, client],
    ] as const)
      from.pipe(to).on("error", () => from.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
