import type { IncomingMessage } from "node:http";
import { SvcError } from "../../contract/errors.ts";
import { rawHeaders } from "./event.ts";

/**
 * Returns the host that a request names, in lower case. The host is in the target if the target is a whole URL (RFC
 * 9112 3.2.2), otherwise in `:authority` for HTTP/2 and in `Host` for HTTP/1.1. Throws if these name different hosts or
 * if `Host` occurs twice (RFC 9112 3.2), because a proxy in front of the daemon may have checked a different one.
 */
export function namedHost(request: ReceivedRequest): string | undefined {
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

export type ReceivedRequest = Pick<IncomingMessage, "headers" | "rawHeaders"> & {
  readonly url?: string | undefined;
};

function targetHost(target: string | undefined): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(target ?? "")?.[1];
}
