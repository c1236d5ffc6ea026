import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { scopeOfAddress } from "../config/addresses.ts";
import { MAX_TCP_CONNECTIONS, MAX_TCP_CONNECTIONS_OF_ADDRESS } from "../contract/limits.ts";
import type { ListenerDescriptor } from "./listener.ts";

/** While the listener is full, idle connections are closed at most this often. */
const ROOM_MS = 1000;

/**
 * Limits the connections of a TCP listener; further ones are closed at once. Otherwise its peers could use up the files
 * that the process may have open, which the owner's socket and the database need too. A full listener closes its idle
 * connections, so that nobody can keep others out by connections that do nothing.
 */
export function boundConnections(
  server: Server,
  { trustedHeader }: Pick<ListenerDescriptor, "trustedHeader">,
  clock: Clock,
  log: Log,
): void {
  server.maxConnections = MAX_TCP_CONNECTIONS;
  let told = false;
  let roomMadeMs = Number.NEGATIVE_INFINITY;
  server
    .on("drop", () => {
      if (!told) log.warn("listener.full", { connections: MAX_TCP_CONNECTIONS });
      told = true;
      const now = clock.nowMs();
      if (Math.abs(now - roomMadeMs) < ROOM_MS) return;
      roomMadeMs = now;
      server.closeIdleConnections();
    })
    .on("connection", () => {
      told = false;
    });
  // Behind a trusted proxy, all requests come from the proxy's address.
  if (trustedHeader === undefined) shareByAddress(server);
}

/**
 * Limits the connections of each remote address. Loopback addresses have no such limit, because all users of this
 * machine share them.
 */
function shareByAddress(server: Server): void {
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const { remoteAddress: address = "" } = socket;
    if (scopeOfAddress(address) === "loopback") return;
    const count = (open.get(address) ?? 0) + 1;
    if (count > MAX_TCP_CONNECTIONS_OF_ADDRESS) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once("close", () => {
      const left = (open.get(address) ?? 0) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}
