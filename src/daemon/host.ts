import type { IncomingMessage } from "node:http";
import { scopeOfAddress } from "../config/addresses.ts";
import { SvcError } from "../contract/errors.ts";
import { rawHeaders } from "./event.ts";

/** True if a `Host` header names loopback: `localhost`, a name below it, or a literal loopback address. */
export function isLoopbackHost(header: string | undefined): boolean {
  const name = hostname(header ?? "")?.toLowerCase();
  if (name === undefined) return false;
  return name === "localhost" || name.endsWith(".localhost") || scopeOfAddress(name) === "loopback";
}

function hostname(authority: string): string | undefined {
  const parts = /^(?:\[([0-9A-Fa-f:.]+)\]|([^[\]:/?#@\s]+))(?::\d{1,5})?$/.exec(authority);
  return parts?.[1] ?? parts?.[2];
}

/**
 * The one host that a request names, in lower case: by its target if that is a whole URL (RFC 9112 3.2.2), in HTTP/2 by
 * `:authority`, otherwise by `Host`. Throws if these differ or `Host` occurs twice (RFC 9112 3.2), because a proxy
 * before the daemon may have checked the other value.
 */
export function namedHost(request: Received): string | undefined {
  const hosts = rawHeaders(request, "host");
  const authority = request.headers[":authority"]?.toString();
  const named = [targetHost(request.url), authority, ...hosts].filter((host) => host !== undefined);
  const [first, ...others] = named.map((host) => host.toLowerCase());
  if (hosts.length < 2 && others.every((host) => host === first)) return first;
  throw new SvcError(
    "host_invalid",
    {},
    {
      message: "the request names more than one host",
      hint: "send one Host header, the same as in a target that is a whole URL",
    },
  );
}

/** The parts of a server's request that name its host. */
export type Received = Pick<IncomingMessage, "headers" | "rawHeaders"> & {
  readonly url?: string | undefined;
};

function targetHost(target: string | undefined): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(target ?? "")?.[1];
}
