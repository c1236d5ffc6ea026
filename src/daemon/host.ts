import { isIP } from "node:net";

/** Whether a `Host` header names this machine's loopback: `localhost`, a name below it, 127.0.0.0/8 or ::1. */
export function isLoopbackHost(header: string | undefined): boolean {
  const name = hostname(header ?? "")?.toLowerCase();
  if (name === undefined) return false;
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  return (isIP(name) === 4 && name.startsWith("127.")) || name === "::1";
}

/** The host of `host`, `host:port`, `[v6]` or `[v6]:port`. */
function hostname(authority: string): string | undefined {
  const parts = /^(?:\[([0-9A-Fa-f:.]+)\]|([^[\]:/?#@\s]+))(?::\d{1,5})?$/.exec(authority);
  return parts?.[1] ?? parts?.[2];
}
