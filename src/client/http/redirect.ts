import type { ResponseHead } from "./response.ts";

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([300, 301, 302, 303, 307, 308]);

/**
 * Returns the message about an answer that is a redirect, or `undefined` for any other answer. The client follows no
 * redirect, because requests and tokens go only to the selected daemon. The message has only the origin of the
 * redirect's address, because the rest can contain a secret.
 */
export function redirectText({ status, headers }: ResponseHead, base: string): string | undefined {
  if (!REDIRECT_STATUSES.has(status)) return undefined;
  const location = headers["location"] ?? "";
  const to = URL.canParse(location, base) ? new URL(location, base).origin : "null";
  if (to === "null") return "it redirects, which svc does not follow";
  return to === new URL(base).origin
    ? "it redirects to another of its paths, which svc does not follow"
    : `it redirects to ${to}, which svc does not follow; if that is the daemon, give its URL`;
}
