import { invalid } from "../contract/errors.ts";
import { type AddressScope, scopeOfAddress } from "./addresses.ts";
import type { Origin } from "./origins.ts";

type Rule = "allowed" | "with trust" | "never";

/**
 * Whether a host of each kind may be called by plain HTTP. Everybody between client and daemon can read and change
 * plain HTTP (docs/contract/network-and-access.md#91-where-plain-http-may-go).
 */
const PLAIN_HTTP_RULES: Readonly<Record<AddressScope, Rule>> = {
  loopback: "allowed",
  private: "with trust",
  wildcard: "with trust",
  public: "never",
  name: "never",
};

export interface PlainHttpOptions {
  /** The setting that named the origin, for messages. */
  readonly from: string;
  /** Whether private networks are trusted (`SVC_TRUST_PRIVATE_NETWORK`). */
  readonly trusts: boolean;
  /** The command that allows plain HTTP; set only if the workspace's file has `allow_insecure`. */
  readonly cure: string | undefined;
  /** What to do about an address that is refused, if not what a client of a daemon can do. */
  readonly cures?: { readonly private: string; readonly public: string };
}

/** What somebody who calls a daemon can do about an address that is refused. */
export const CLIENT_CURES = {
  private:
    "set SVC_TRUST_PRIVATE_NETWORK=1 or [auth] trust_private_network when everybody there may read along",
  public: "use https, the IP address, an SSH tunnel, or allow_insecure for this one address",
};

/** Throws if the origin uses plain HTTP and `PLAIN_HTTP_RULES` does not allow that for its host. */
export function requireSafeHttp(
  origin: Origin,
  { from, trusts, cure, cures = CLIENT_CURES }: PlainHttpOptions,
): void {
  if (origin.scheme === "https") return;
  const rule = PLAIN_HTTP_RULES[scopeOf(origin.host)];
  if (rule === "allowed" || (rule === "with trust" && trusts)) return;
  if (cure !== undefined) {
    throw invalid(
      `plain http to ${origin.text} is refused: only the workspace's file allows it`,
      `if it is yours: ${cure}`,
    );
  }
  if (rule === "never") {
    throw invalid(
      `plain http to ${origin.text} (${from}) is refused: it is no private IP address`,
      cures.public,
    );
  }
  throw invalid(
    `plain http to ${origin.text} (${from}) is refused: private networks are not trusted`,
    cures.private,
  );
}

/** The kind of a host. `localhost` counts as loopback, because clients resolve it only to loopback addresses. */
function scopeOf(host: string): AddressScope {
  return host === "localhost" ? "loopback" : scopeOfAddress(host);
}
