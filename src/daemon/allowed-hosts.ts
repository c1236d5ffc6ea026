import { formatHostPort, type HostPort, scopeOfAddress } from "../config/addresses.ts";

/** What decides by which names a TCP listener is addressed. */
export interface HostSources {
  readonly kind: "browser" | "shared-tcp";
  /** The canonical origin of the listener, such as `https://tracker.example.com`. */
  readonly origin: string;
  readonly bind: HostPort;
  /** `[web] allowed_hosts`: each a `host` or a `host:port`, and no other port of that host. */
  readonly listed: readonly string[];
}

/**
 * The values of `Host` that a TCP listener answers, in lower case (facts browser-and-auth 3.2). A listener for pages
 * alone is addressed by its origin; a shared one also by the address that it is bound to, and by what is listed.
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

/** Loopback has several names, and a wildcard address is reached by each of them. */
function aliases({ host, port }: HostPort): readonly HostPort[] {
  const scope = scopeOfAddress(host);
  const local = scope === "loopback" || scope === "wildcard" || host === "localhost";
  const hosts = local ? [host, "localhost", "127.0.0.1", "::1"] : [host];
  return hosts.map((name) => ({ host: name, port }));
}

/** Clients leave out the port that the scheme implies. */
function spellings(place: HostPort, implied: number): readonly string[] {
  const whole = formatHostPort(place);
  return place.port === implied ? [whole, whole.replace(/:\d+$/, "")] : [whole];
}
