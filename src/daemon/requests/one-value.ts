import type { IncomingMessage } from "node:http";
import { invalidField } from "../../contract/errors.ts";

/**
 * Headers that the daemon acts on and that may have only one value. A repeated `Host` is refused as `host_invalid` in
 * `host.ts`.
 */
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
 * Refuses a request in which a header of `ONE_VALUE` occurs twice, even with the same value. Node keeps the first value
 * of some headers and joins the values of others, while a proxy in front of the daemon may have used another value.
 */
export function requireOneValue({
  headers,
  rawHeaders: sent,
}: Pick<IncomingMessage, "headers" | "rawHeaders">): void {
  // `headers` has each name once. So if `rawHeaders` has as many pairs of a name and a value, no header occurs twice.
  // For most requests this comparison is the whole cost.
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
