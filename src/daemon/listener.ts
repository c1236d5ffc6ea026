import { formatHostPort, type HostPort, scopeOfAddress } from "../config/addresses.ts";
import { allowedHosts } from "./requests/allowed-hosts.ts";
import { isLoopbackHost } from "./requests/loopback-host.ts";

export interface ListenerDescriptor {
  /** The name of the listener in the log, in the daemon's record file, and in `svc daemon status`. */
  readonly id: string;
  /** `browser` is a TCP listener beside the socket, for pages only; `shared-tcp` serves API clients and pages. */
  readonly kind: "socket" | "browser" | "shared-tcp";
  /** The path of the socket, or the bound `ip:port`. */
  readonly address: string;
  /** The only origin from which pages of this listener come. It is never taken from a request. A socket has none. */
  readonly origin: string | undefined;
  /** The values of `Host` that the listener accepts, in lower case. Empty for a socket, which accepts any. */
  readonly allowedHosts: ReadonlySet<string>;
  /**
   * The values of `Host` that name the listener itself, not the public origin of a proxy in front of it. Without a
   * public origin this is the same set as `allowedHosts`.
   */
  readonly directHosts: ReadonlySet<string>;
  /**
   * True if pages of this listener come from this machine: the listener and its origin are loopback, and no proxy is
   * trusted on it.
   */
  readonly pagesLocal: boolean;
  /** The header in which a trusted proxy names the actor, in lower case. */
  readonly trustedHeader: string | undefined;
  /** The id of the user whom the trusted proxy runs as. On a socket, the permissions of its file decide instead. */
  readonly proxyUser: number | undefined;
  /** True if only this machine can reach the listener: a Unix socket, or a loopback address. */
  readonly local: boolean;
  /** True if browsers are to use only https for the host of the origin: HSTS counts for every port of a host. */
  readonly hsts: boolean;
  /**
   * True for the socket that only programs of the daemon's own user are meant to open, so that a request on it proves
   * who sent it. Other sockets may be there for a proxy.
   */
  readonly own: boolean;
}

export type Place = { readonly path: string } | HostPort;

/** Returns the place as settings write it, such as `unix:///run/svc.sock` or `127.0.0.1:7800`. */
export function placeText(place: Place): string {
  return "path" in place ? `unix://${place.path}` : formatHostPort(place);
}

export function isLocalPlace(place: Place): boolean {
  return "path" in place || scopeOfAddress(place.host) === "loopback";
}

export interface ListenerRules {
  /** `[web] public_origin`. */
  readonly publicOrigin?: string;
  /** `[web] allowed_hosts`. */
  readonly allowedHosts: readonly string[];
  /** `[auth.proxy]`. `listeners` are the places at which the header is trusted, spelled as in the settings. */
  readonly trusted?: {
    readonly header: string;
    readonly listeners: readonly string[];
    readonly user?: number;
  };
}

interface DescribedListener {
  readonly id: string;
  /** True for a listener that serves pages only; its `kind` is then `browser`. */
  readonly pages?: boolean | undefined;
  /** The place that the settings name. If its port is 0, the daemon has chosen the port of `place`. */
  readonly configured: Place;
  readonly place: Place;
  readonly secure: boolean;
  readonly rules?: ListenerRules | undefined;
}

/** The id of the listener that commands on this machine use. */
export const LOCAL_ID = "local";
/** The id of the socket that a daemon has for its own user if commands use another listener. */
export const OWNER_ID = "owner";

export function describeListener({
  id,
  pages = false,
  configured,
  place,
  secure,
  rules,
}: DescribedListener): ListenerDescriptor {
  const { publicOrigin, allowedHosts: listed = [], trusted } = rules ?? {};
  const proxy = trusted?.listeners.includes(placeText(configured)) ? trusted : undefined;
  const trustedHeader = proxy?.header;
  const proxyUser = "path" in place ? undefined : proxy?.user;
  const own =
    "path" in place && trustedHeader === undefined && (id === LOCAL_ID || id === OWNER_ID);
  const base = { id, trustedHeader, proxyUser, local: isLocalPlace(place), own, hsts: false };
  if ("path" in place)
    return {
      ...base,
      kind: "socket",
      address: place.path,
      origin: undefined,
      allowedHosts: NO_HOSTS,
      directHosts: NO_HOSTS,
      pagesLocal: false,
    };
  const kind = pages ? "browser" : "shared-tcp";
  const direct = `${secure ? "https" : "http"}://${formatHostPort(place)}`;
  const origin = publicOrigin ?? direct;
  const hosts = allowedHosts({ kind, origin, bind: place, listed });
  return {
    ...base,
    kind,
    address: formatHostPort(place),
    origin,
    hsts: publicOrigin !== undefined && isOnDefaultHttps(publicOrigin),
    allowedHosts: hosts,
    directHosts:
      publicOrigin === undefined
        ? hosts
        : allowedHosts({ kind, origin: direct, bind: place, listed }),
    pagesLocal: base.local && trustedHeader === undefined && isLoopbackHost(new URL(origin).host),
  };
}

function isOnDefaultHttps(origin: string): boolean {
  const { protocol, port } = new URL(origin);
  return protocol === "https:" && port === "";
}

const NO_HOSTS: ReadonlySet<string> = new Set();
