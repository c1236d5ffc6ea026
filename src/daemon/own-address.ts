import { networkInterfaces } from "node:os";
import { canonicalIPv6, type HostPort, scopeOfAddress } from "../config/addresses.ts";
import { isLoopbackHost } from "./requests/loopback-host.ts";

/**
 * Whether a URL leads to this daemon: it has one of the origins, or it has the port of a listener and an address on
 * which this listener can be reached. Names other than loopback names are not resolved.
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

/**
 * Returns the host without brackets and without a dot at its end. An IPv4-mapped IPv6 address becomes the IPv4 address.
 */
function plainHost(hostname: string): string {
  const host = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  return canonicalIPv6(host) ?? host;
}

/**
 * Whether a connection to `host` reaches a listener on the address `listens`. A connection to a wildcard address, such
 * as 0.0.0.0, reaches this machine, as does a connection to a loopback address.
 */
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
