import type { H3Event } from "h3";
import { headerOf, SocketEvent } from "./event.ts";
import type { PeerUsers } from "./peer-users.ts";

export type Peers = Pick<PeerUsers, "isOwn" | "isOf">;

/** True if the user who runs the daemon, or root, opened the connection of the request. */
export function isOwnPeer(event: H3Event, peers: Peers | undefined): boolean | Promise<boolean> {
  if (peers === undefined || !(event instanceof SocketEvent)) return true;
  const { listener, req } = event.connection;
  return listener.kind === "socket" || peers.isOwn(req.socket);
}

/**
 * True unless the listener is for a proxy that runs as a certain user, and another user opened the connection. Where the
 * system does not tell users apart, everybody counts as the proxy.
 */
export function isProxyPeer(event: H3Event, peers: Peers | undefined): true | Promise<boolean> {
  if (peers === undefined || !(event instanceof SocketEvent)) return true;
  const { listener, req } = event.connection;
  return listener.proxyUser === undefined || peers.isOf(req.socket, listener.proxyUser);
}

/**
 * True if the caller counts as the owner: the request came over the socket, or over loopback without a proxy. A request
 * through a proxy does not count, because it may come from another machine.
 */
export function isOwner(event: H3Event): boolean {
  const listener = event instanceof SocketEvent ? event.connection.listener : undefined;
  if (listener?.trustedHeader !== undefined) return false;
  if (listener?.kind === "socket") return true;
  if (listener?.local === false) return false;
  return !isForwarded(event);
}

export function isForwarded(event: H3Event): boolean {
  return FORWARDING_HEADERS.some((name) => headerOf(event, name) !== undefined);
}

const FORWARDING_HEADERS = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];
