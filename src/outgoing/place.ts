import { parseBaseUrl } from "../config/base-url.ts";
import { bearerFault } from "../config/bearer.ts";
import { requireSafeHttp } from "../config/plain-http.ts";
import { invalid } from "../contract/errors.ts";
import { requireNotLinkLocal } from "./pinned-address.ts";

/** The address of a far side: a hub, the host of another tracker, or a provider. */
export interface Place {
  /** An http or https URL. A request's path that does not begin with a slash is relative to the path of this URL. */
  readonly url: string;
  /** The setting that named the URL, for messages. */
  readonly from: string;
  /** The token, which is sent only to the origin of the URL. */
  readonly bearer?: string;
  /** Whether private networks are trusted (`SVC_TRUST_PRIVATE_NETWORK`). */
  readonly trustsPrivateNetwork: boolean;
  /** Whether plain HTTP is allowed to any host (`allow_insecure`). */
  readonly allowsInsecure: boolean;
  /**
   * Set if the address comes from a caller of the API: link-local addresses are refused, and the host is resolved once
   * only. Absent for hosts that the configuration names.
   */
  readonly pinned?: true;
}

/**
 * Returns the URL with a slash at its end. Throws `validation` if the URL is invalid, if plain HTTP to its host is not
 * allowed (docs/contract/network-and-access.md#91-where-plain-http-may-go), or if the bearer token cannot be sent. No
 * message repeats the URL or the token.
 */
export function baseOf({ url: text, from, bearer, pinned, ...allowed }: Place): URL {
  const { origin } = parseBaseUrl(text, from);
  const url = new URL(text);
  if (pinned === true) requireNotLinkLocal(url.hostname, from);
  if (!allowed.allowsInsecure)
    requireSafeHttp(origin, { from, trusts: allowed.trustsPrivateNetwork, cure: undefined });
  const fault = bearer === undefined ? undefined : bearerFault(bearer);
  if (fault !== undefined) throw invalid(`the token for ${from} ${fault}`);
  return new URL(url.pathname.endsWith("/") ? url.href : `${url.href}/`);
}
