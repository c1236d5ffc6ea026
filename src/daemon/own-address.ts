import { networkInterfaces } from "node:os";
import { canonicalIPv6, type HostPort, scopeOfAddress } from "../config/addresses.ts";
import { isLoopbackHost } from "./requests/loopback-host.ts";

/**
 * Whether a URL leads to this daemon: it has the port of a listener, and the address on which it listens. A name is not
 * resolved.
 */
export function leadsHere(
  url: URL,
  listeners: readonly HostPort[],
  origins: readonly string[],
): boolean {
  if (origins.includes(url.origin)) return true;
  const host = plainHost(url.hostname);
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  return listeners.some((listener) => listener.port === port && isAt(host, listener.host));
}

/** The host without brackets, the dot at the end of a name, and the IPv6 form of an IPv4 address. */
function plainHost(hostname: string): string {
  const host = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  return canonicalIPv6(host) ?? host;
}

/** A connection to a wildcard address reaches this machine, as one to a loopback address does. */
function isAt(host: string, listens: string): boolean {
  const scope = scopeOfAddress(listens);
  const isLocal = isLoopbackHost(host) || ["loopback", "wildcard"].includes(scopeOfAddress(host));
  if (scope === "wildcard") return isLocal || isOfThisMachine(host);
  if (scope === "loopback") return isLocal;
  return host === listens;
}

function isOfThisMachine(host: string): boolean {
  return Object.values(networkInterfaces()).some((cards) =>
    cards?.some(({ address }) => address === host),
  );
}
