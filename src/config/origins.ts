import { invalid, type SvcError } from "../contract/errors.ts";

/**
 * The address of a remote daemon, reduced to the parts that are allowed (docs/contract/command-line.md#41-selection).
 */
export interface Origin {
  readonly scheme: "http" | "https";
  /** Without brackets, even for IPv6; with the zone of a link-local address (`fe80::1%eth0`). */
  readonly host: string;
  readonly port: number;
  /** `scheme://host[:port]`, without the scheme's default port. A zone is written as `%25eth0` (RFC 6874). */
  readonly text: string;
}

/**
 * Finds the zone of a link-local address in a URL. It is removed before the URL is parsed, because `URL` refuses zones.
 */
const ZONE = /^(\s*https?:\/\/\[fe[89ab][\da-f:]*)%(?:25)?([\w.-]+)(?=\])/i;

/**
 * Parses the URL of a remote daemon. Throws if the URL has a part that is not allowed. Errors name the setting by
 * `whose`. They do not repeat the URL, which can hold a password.
 */
export function parseOrigin(input: string, whose: string): Origin {
  const zone = ZONE.exec(input)?.[2];
  const plain = zone === undefined ? input : input.replace(ZONE, "$1");
  const url = URL.canParse(plain) ? new URL(plain) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw originError(whose, "is not an http or https URL");
  }
  // `URL` would accept a URL without a host, and take the first part of the path for the host.
  if (!/^\s*https?:\/\/[^/\\]/i.test(input)) throw originError(whose, "must have a host after ://");
  if (url.username !== "" || url.password !== "")
    throw originError(whose, "must not hold user information");
  if (url.pathname !== "/") throw originError(whose, "must not have a path");
  if (input.includes("?")) throw originError(whose, "must not have a query");
  if (input.includes("#")) throw originError(whose, "must not have a fragment");
  const scheme = url.protocol === "https:" ? "https" : "http";
  const port = url.port === "" ? (scheme === "https" ? 443 : 80) : Number(url.port);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (zone === undefined) return { scheme, host, port, text: url.origin };
  const text = url.origin.replace("]", `%25${zone}]`);
  return { scheme, host: `${host}%${zone}`, port, text };
}

/** The Host header of requests to the origin. A zone only has a meaning on this machine, so it is left out. */
export function hostHeaderOf({ text }: Origin): string {
  return text.slice(text.indexOf("//") + 2).replace(/%25[^\]]+/, "");
}

function originError(whose: string, what: string): SvcError {
  const hint = "write the daemon's URL as https://host or https://host:port";
  return invalid(`${whose} ${what}`, hint);
}
