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
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw invalid(`${whose} is not an http or https URL`);
  const origin = parseOrigin(text.replace(PATH, "$1"), whose);
  if (text.includes("?") || text.includes("#"))
    throw invalid(`${whose} must not have a query or a fragment`);
  return { origin, path: url.pathname.replace(/\/+$/, "") };
}

/** Matches a whole URL. The first group is its scheme and authority, without the path. */
const PATH = /^(\s*[a-z]+:\/\/[^/?#\\]*)[/\\]?.*$/i;
