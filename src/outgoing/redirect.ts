import type { OutgoingAnswer } from "./exchange.ts";
import { OutgoingFault } from "./fault.ts";

/** The maximum number of redirects to follow. More of them are a loop, or an attempt to keep svc busy. */
export const MOST_REDIRECTS = 10;

/**
 * After these redirects, every request is repeated with the same method. After other redirects, only GET and HEAD are.
 */
const KEEPS_METHOD = new Set([307, 308]);
const REDIRECT_STATUSES = new Set([301, 302, 303, ...KEEPS_METHOD]);

export function isRedirect({ status }: OutgoingAnswer): boolean {
  return REDIRECT_STATUSES.has(status);
}

/**
 * Returns the address of the next request. Throws if the redirect leads to another origin, if the maximum is reached,
 * or if the request would have to change its method. The message has only the origin of the address, because the rest
 * can contain a secret.
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
