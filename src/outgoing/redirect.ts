import type { OutgoingAnswer } from "./exchange.ts";
import { OutgoingFault } from "./fault.ts";

/** More redirects than this are a loop, or the server tries to keep svc busy. So the request fails. */
export const MOST_REDIRECTS = 10;

/** After these redirects, any request is sent again with its method. After the others, only GET and HEAD are. */
const KEEPS_METHOD = new Set([307, 308]);
const STATUSES = new Set([301, 302, 303, ...KEEPS_METHOD]);

export function isRedirect({ status }: OutgoingAnswer): boolean {
  return STATUSES.has(status);
}

/**
 * Returns where to send the request next. Throws if the redirect leads to another origin, if it is the last that is
 * followed, or if only another method could follow it. The message has only the origin of the redirect's address, since
 * the rest can contain a secret.
 */
export function redirectTarget(
  { status, headers }: OutgoingAnswer,
  {
    from,
    method,
    isLast,
  }: { readonly from: URL; readonly method: string; readonly isLast: boolean },
): URL {
  const location = headers.location ?? "";
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  const isSame = to?.origin === from.origin && to.username === "" && to.password === "";
  const keeps = KEEPS_METHOD.has(status) || method === "GET" || method === "HEAD";
  if (to !== undefined && isSame && keeps && !isLast && location !== "") return to;
  const where = to === undefined || to.origin === "null" ? "no address" : to.origin;
  const message = `${from.origin} redirects to ${isSame ? "another of its paths" : where}, which svc does not follow`;
  throw new OutgoingFault("elsewhere", message, true);
}
