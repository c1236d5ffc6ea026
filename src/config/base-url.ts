import { invalid } from "../contract/errors.ts";
import { type Origin, parseOrigin } from "./origins.ts";

/** The address of a daemon that may be behind a proxy, which gives it a path. */
export interface BaseUrl {
  readonly origin: Origin;
  /** The path before the paths of the API, as in a URL; without a slash at its end, and empty if there is none. */
  readonly path: string;
}

/** Parses a base URL. Throws `validation`, and repeats neither the URL nor a part of it. `whose` names the setting. */
export function parseBaseUrl(text: string, whose: string): BaseUrl {
  const [, authority = text, path = ""] = PARTS.exec(text) ?? [];
  const origin = parseOrigin(authority, whose);
  if (text.includes("?") || text.includes("#"))
    throw invalid(`${whose} must not have a query or a fragment`);
  return { origin, path: new URL(`http://host${path}`).pathname.replace(/\/+$/, "") };
}

/** Matches a whole URL: its scheme and authority, and the rest. `URL` alone would refuse the zone of an address. */
const PARTS = /^(\s*[a-z]+:\/\/[^/?#\\]*)(.*)$/i;
