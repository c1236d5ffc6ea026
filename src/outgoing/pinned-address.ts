import type { LookupAddress } from "node:dns";
import { lookup as systemLookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { isLinkLocal } from "../config/addresses.ts";
import { invalid } from "../contract/errors.ts";

/** Asks the system for all addresses of a host. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/**
 * Returns a lookup that resolves the host once, and then always gives the same addresses. So whoever answers DNS cannot
 * lead a later request elsewhere. Fails if an address is link-local: at such addresses, a machine in a data centre
 * finds its credentials.
 */
export function pinnedLookup(resolve: Resolve = resolveByDns): LookupFunction {
  let resolved: Promise<readonly LookupAddress[]> | undefined;
  const addressesOf = async (host: string): Promise<readonly LookupAddress[]> => {
    const addresses = await resolve(host);
    for (const { address } of addresses) requireNotLinkLocal(address, "the host");
    return addresses;
  };
  const answer = async (
    host: string,
    all: boolean | undefined,
    callback: Parameters<LookupFunction>[2],
  ): Promise<void> => {
    try {
      resolved ??= addressesOf(host);
      const addresses = await resolved;
      const [first] = addresses;
      if (all === true) callback(null, [...addresses]);
      else callback(null, first?.address ?? "", first?.family ?? 4);
    } catch (error) {
      callback(error as NodeJS.ErrnoException, "");
    }
  };
  return (host, { all }, callback) => void answer(host, all, callback);
}

/** Throws `validation` if the address, as written in a URL, is link-local. A name is judged when it is resolved. */
export function requireNotLinkLocal(address: string, from: string): void {
  if (isLinkLocal(address))
    throw invalid(`${from} has a link-local address, which svc does not call`);
}

const resolveByDns: Resolve = async (host) => await systemLookup(host, { all: true });
