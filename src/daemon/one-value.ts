import type { IncomingMessage } from "node:http";
import { invalidField } from "../contract/errors.ts";

/** Headers of one value that the daemon acts on; `Host` is `host_invalid` where it stands twice (`host.ts`). */
const ONE_VALUE: ReadonlyMap<string, string> = new Map(
  [
    "Authorization",
    "Content-Encoding",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "Last-Event-ID",
    "X-Svc-Confirm",
    "X-Svc-Fence",
    "X-Svc-Idle-Keepalive",
  ].map((name) => [name.toLowerCase(), name]),
);

/**
 * Refuses a header that has one value and stands twice, even with the same value: Node keeps the first of some and
 * joins others, and what stands before the daemon may have read the other one.
 */
export function requireOneValue({
  headers,
  rawHeaders: sent,
}: Pick<IncomingMessage, "headers" | "rawHeaders">): void {
  // Nothing stands twice: the usual request costs this comparison alone.
  if (sent.length === 2 * Object.keys(headers).length) return;
  const seen = new Set<string>();
  for (let at = 0; at < sent.length; at += 2) {
    const name = sent[at]?.toLowerCase() ?? "";
    const spelling = ONE_VALUE.get(name);
    if (spelling !== undefined && seen.has(name))
      throw invalidField(spelling, "was sent more than once", `send one ${spelling} header`);
    seen.add(name);
  }
}
