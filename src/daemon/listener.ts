import { formatHostPort, type HostPort, scopeOfAddress } from "../config/addresses.ts";
import { allowedHosts } from "./allowed-hosts.ts";

/** What every request knows about the listener that it came to. */
export interface ListenerDescriptor {
  /** Names the listener in the log, in the record and in `svc daemon status`. */
  readonly id: string;
  /** `browser` is a TCP listener beside the socket, for pages only; `shared-tcp` serves API clients and pages. */
  readonly kind: "socket" | "browser" | "shared-tcp";
  /** The path of the socket, or the bound `ip:port`. */
  readonly address: string;
  /** The only origin that pages of this listener have. It never comes from a request; a socket has none. */
  readonly origin: string | undefined;
  /** Values of the `Host` header that name this listener, in lower case; a socket has none and takes any. */
  readonly allowedHosts: ReadonlySet<string>;
  /** Lower-case name of the header in which a trusted proxy names the actor. */
  readonly trustedHeader: string | undefined;
  /** True if only this machine can reach the listener: a Unix socket, or a loopback address. */
  readonly local: boolean;
}

/**
 * Where a daemon listens: a Unix socket, or a literal loopback IP and a port. The modes for private networks (doc 3,
 * Authentication) come in a later release.
 */
export type Place = { readonly path: string } | HostPort;

export const LOCAL_ID = "local";

export function describeListener(place: Place, secure: boolean): ListenerDescriptor {
  const base = { id: LOCAL_ID, trustedHeader: undefined };
  if ("path" in place) {
    const { path: address } = place;
    return {
      ...base,
      kind: "socket",
      address,
      origin: undefined,
      allowedHosts: new Set(),
      local: true,
    };
  }
  const address = formatHostPort(place);
  const kind = "shared-tcp";
  const origin = `${secure ? "https" : "http"}://${address}`;
  return {
    ...base,
    kind,
    address,
    origin,
    allowedHosts: allowedHosts({ kind, origin, bind: place, listed: [] }),
    local: scopeOfAddress(place.host) === "loopback",
  };
}
