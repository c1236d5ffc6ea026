import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { scopeOfAddress } from "../../config/addresses.ts";
import { MAX_TCP_CONNECTIONS, MAX_TCP_CONNECTIONS_OF_ADDRESS } from "../../contract/limits.ts";
import type { ListenerDescriptor } from "../listener.ts";
import type { SlowRequests } from "../requests/slow-requests.ts";

/** While a listener or an address is full, the log says so at most this often. */
const LOG_INTERVAL_MS = 60_000;

/**
 * Limits the connections of a TCP listener, and of each remote address on it. Otherwise its clients could use up the
 * file descriptors of the process, which the owner's socket and the database need too. When there are too many
 * connections, the listener closes one that has no authenticated request: the one that was opened, or last got an
 * answer, the longest time ago. So nobody can keep others out with connections that do nothing, send their header
 * slowly or do not read their answer. This also protects others behind the same address, such as the users of a router.
 */
export function boundConnections(
  server: Server,
  { trustedHeader }: Pick<ListenerDescriptor, "trustedHeader">,
  slow: Pick<SlowRequests, "closeLongestWaiting">,
  clock: Clock,
  log: Log,
): void {
  const full = fullLog(clock, log);
  let open = 0;
  server.on("connection", (socket: Socket) => {
    open++;
    socket.once("close", () => open--);
    if (open <= MAX_TCP_CONNECTIONS) return;
    slow.closeLongestWaiting();
    full("listener.full", MAX_TCP_CONNECTIONS);
  });
  // Behind a trusted proxy, all requests come from the proxy's address, so a limit for each address would not tell the
  // clients apart.
  if (trustedHeader !== undefined) return;
  shareByAddress(server, (address) => {
    slow.closeLongestWaiting(address);
    full("listener.address_full", MAX_TCP_CONNECTIONS_OF_ADDRESS);
  });
}

/**
 * Calls `makeRoom` when a remote address has too many connections. Loopback addresses have no such limit, because all
 * users of this machine share them.
 */
function shareByAddress(server: Server, makeRoom: (address: string) => void): void {
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const { remoteAddress: address = "" } = socket;
    if (scopeOfAddress(address) === "loopback") return;
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once("close", () => {
      const left = (open.get(address) ?? 0) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    if (count > MAX_TCP_CONNECTIONS_OF_ADDRESS) makeRoom(address);
  });
}

/** Returns the function that logs that a limit is reached, each event at most once in `LOG_INTERVAL_MS`. */
function fullLog(clock: Clock, log: Log) {
  const logged = new Map<string, number>();
  return (event: string, connections: number): void => {
    const now = clock.nowMs();
    if (Math.abs(now - (logged.get(event) ?? Number.NEGATIVE_INFINITY)) < LOG_INTERVAL_MS) return;
    logged.set(event, now);
    log.warn(event, { connections });
  };
}
