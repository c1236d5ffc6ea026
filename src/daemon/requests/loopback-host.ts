import { scopeOfAddress } from "../../config/addresses.ts";

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
