import type { H3Event } from "h3";
import type { Mode } from "../../domain/access/modes.ts";
import { headerOf, SocketEvent } from "../requests/event.ts";
import type { PeerUsers } from "./peer-users.ts";

export type Peers = Pick<PeerUsers, "isOwn" | "isOf">;

/** True if the user who runs the daemon, or root, opened the connection of the request. */
export function isOwnPeer(event: H3Event, peers: Peers | undefined): boolean | Promise<boolean> {
  if (peers === undefined || !(event instanceof SocketEvent)) return true;
  const { listener, req } = event.connection;
  return listener.kind === "socket" || peers.isOwn(req.socket);
}

/**
 * True unless the listener is for a proxy that runs as a certain user, and another user opened the connection. Where
 * the system does not tell users apart, everybody counts as the proxy.
 */
export function isProxyPeer(event: H3Event, peers: Peers | undefined): true | Promise<boolean> {
  if (peers === undefined || !(event instanceof SocketEvent)) return true;
  const { listener, req } = event.connection;
  return listener.proxyUser === undefined || peers.isOf(req.socket, listener.proxyUser);
}

/**
 * True if the request proves that it comes from the user who runs the daemon: it came over the daemon's own socket,
 * which only programs of this user may open. A loopback connection is no proof, because every connection through a
 * forwarder looks like the forwarder's own, and the forwarder need not identify itself.
 */
export function isProvenOwner(event: H3Event): boolean {
  return event instanceof SocketEvent && event.connection.listener.own && !isForwarded(event);
}

/**
 * True if the caller may see full paths of this machine. These are the proven owner and, if the daemon requires no
 * token, everybody who seems to be the owner. Without a token, such a caller can read all data anyway.
 */
export function seesPaths(
  event: H3Event,
  { mode, peers }: { readonly mode: Mode; readonly peers?: Peers | undefined },
): boolean | Promise<boolean> {
  if (isProvenOwner(event)) return true;
  const listener = event instanceof SocketEvent ? event.connection.listener : undefined;
  if (mode !== "open" || listener?.trustedHeader !== undefined) return false;
  if (listener?.local === false || isForwarded(event)) return false;
  return isOwnPeer(event, peers);
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
