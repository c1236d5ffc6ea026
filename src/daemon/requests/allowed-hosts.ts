import { formatHostPort, type HostPort, scopeOfAddress } from "../../config/addresses.ts";

export interface HostSources {
  readonly kind: "browser" | "shared-tcp";
  /** The canonical origin of the listener, such as `https://tracker.example.com`. */
  readonly origin: string;
  readonly bind: HostPort;
  /** `[web] allowed_hosts`: each entry is a `host`, or a `host:port` that allows only this port of the host. */
  readonly listed: readonly string[];
}

/**
 * The `Host` headers that a TCP listener accepts, in lower case
 * (docs/contract/network-and-access.md#32-the-order-of-checks). Every listener accepts the host of its origin. A
 * listener that also serves API clients accepts the address that it is bound to and the hosts in `listed` too.
 */
export function allowedHosts({ kind, origin, bind, listed }: HostSources): ReadonlySet<string> {
  const { hostname, port, protocol } = new URL(origin);
  const implied = protocol === "https:" ? 443 : 80;
  const own = { host: hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port || implied) };
  const places = kind === "browser" ? [own] : [own, bind];
  const names = places.flatMap(aliases).flatMap((place) => spellings(place, implied));
  const all = kind === "browser" ? names : [...names, ...listed];
  return new Set(all.map((name) => name.toLowerCase()));
}

/**
 * All names by which clients reach an address. A loopback address and a wildcard address, such as 0.0.0.0, can also be
 * reached as `localhost`, `127.0.0.1` and `::1`.
 */
function aliases({ host, port }: HostPort): readonly HostPort[] {
  const scope = scopeOfAddress(host);
  const local = scope === "loopback" || scope === "wildcard" || host === "localhost";
  const hosts = local ? [host, "localhost", "127.0.0.1", "::1"] : [host];
  return hosts.map((name) => ({ host: name, port }));
}

/**
 * Returns the texts with which a `Host` header may name this host and port. Clients leave the port out if it is
 * `implied`, the default port of the scheme.
 */
function spellings(place: HostPort, implied: number): readonly string[] {
  const whole = formatHostPort(place);
  return place.port === implied ? [whole, whole.replace(/:\d+$/, "")] : [whole];
}
