import type { PageReach } from "../../contract/route.ts";
import type { Mode } from "./modes.ts";
import { type Refusal, takesToken } from "./requests.ts";
import { type PrincipalKind, RIGHTS, type Right } from "./rights.ts";

/**
 * The properties of a request on a TCP listener that decide whether it needs a session
 * (docs/contract/network-and-access.md#35-when-a-session-is-needed).
 */
export interface SessionFacts {
  readonly kind: "browser" | "shared-tcp";
  readonly mode: Mode;
  readonly right: Right;
  /** True for GET and HEAD. */
  readonly get: boolean;
  /** Whether the request has the session header. */
  readonly header: boolean;
  /** Whether a page sent the request: the request has an `Origin`, the session header or the session's cookie. */
  readonly marked: boolean;
  /**
   * Whether `Host` names the listener itself, by its address or by a host of `[web] allowed_hosts`. False if it names
   * only the public origin of a proxy.
   */
  readonly direct: boolean;
}

/**
 * True if the request must have a session. The rules apply in this order:
 * - A route that anybody may call (`open`) needs no session.
 * - In mode `readonly`, a GET (except the event stream) needs one only if it has the session header.
 * - Any other request needs one if it came on a listener for pages, or if a page sent it (`marked`).
 * - All other requests need one only in the modes `open` and `tokenless`, if `Host` names only the origin of a proxy.
 */
export function needsSession(facts: SessionFacts): boolean {
  const { kind, mode, right, get, header, marked, direct } = facts;
  if (right === "open") return false;
  if (mode === "readonly" && get && right !== "stream") return header;
  if (kind === "browser" || marked) return true;
  if (takesToken(mode) || mode === "readonly") return false;
  return !direct;
}

/**
 * What a page of this machine needs to open a session without a token
 * (docs/contract/network-and-access.md#33-a-session-without-a-token).
 * - `nothing`: the page needs nothing. This holds on the daemon's own listener for pages, if the daemon has no token.
 * - `proof`: a one-time code of the daemon's own socket, or the cookie of an earlier session that was opened with a
 *   code.
 * - `never`: no such session is opened, whatever the page has.
 */
export type LocalSession = "nothing" | "proof" | "never";

/** The properties of a listener that decide what a local session needs. */
export interface PagesFacts {
  readonly kind: "socket" | SessionFacts["kind"];
  readonly mode: Mode;
  /** Whether the listener and the origin of its pages are loopback, and the listener trusts no proxy. */
  readonly pagesLocal: boolean;
}

/**
 * Returns what a local session needs on a listener. A loopback connection alone proves nothing, because it may come
 * from a forwarder that does not identify itself. So proof is required wherever a request with a session has rights
 * that a request without a session does not have.
 */
export function localSessionRequirement({ kind, mode, pagesLocal }: PagesFacts): LocalSession {
  if (!pagesLocal || mode === "identity") return "never";
  return kind === "browser" && mode !== "static" ? "nothing" : "proof";
}

/** The properties of a request for a local session. */
export interface LocalFacts {
  readonly needs: LocalSession;
  readonly forwarded: boolean;
  readonly peer: "loopback" | "other";
}

/** False if no local session may be opened for the request, even with proof. */
export function mayOpenLocally({ needs, forwarded, peer }: LocalFacts): boolean {
  return needs !== "never" && !forwarded && peer === "loopback";
}

export type SessionKind = Exclude<PrincipalKind, "none" | "trusted_proxy_absent" | "enrollment">;

/** Whether a session with this principal may write. The bootstrap token may not, because it belongs to no actor. */
function isWritable(kind: PrincipalKind, mode: Mode): boolean {
  return mode !== "readonly" && kind !== "bootstrap";
}

/** What a page can do with its session (docs/contract/network-and-access.md#31-opening-ending-secrets). */
export interface WebCapabilities {
  readonly writable: boolean;
  /** `poll` if pages cannot use the event stream. */
  readonly updates: "sse" | "poll";
  /** Whether the request or the credential (`identity`) names the actor of a write. */
  readonly actor_policy: "request" | "identity";
}

export function webCapabilities(kind: SessionKind, mode: Mode): WebCapabilities {
  return {
    writable: isWritable(kind, mode),
    updates: mode === "readonly" ? "poll" : "sse",
    actor_policy: actorPolicy(kind),
  };
}

export function actorPolicy(kind: PrincipalKind): WebCapabilities["actor_policy"] {
  return IDENTIFIED_KINDS.has(kind) ? "identity" : "request";
}

/** Principals for whom the credential, and not the request, names the actor of a write. */
const IDENTIFIED_KINDS: ReadonlySet<PrincipalKind> = new Set([
  "bootstrap",
  "db_token",
  "trusted_proxy",
  "trusted_proxy_absent",
]);

/** A request with a valid session. */
export interface SessionAsked {
  readonly mode: Mode;
  readonly right: Right;
  readonly get: boolean;
  readonly session: PrincipalKind;
  /** The pages that may use the route. */
  readonly pages: PageReach;
  /** Whether the CSRF header has the session's token. */
  readonly csrf: boolean;
}

const CLOSED_STREAM: Refusal = {
  refused: "auth_required",
  message:
    "this daemon is read-only (--insecure-readonly), so pages ask for changes again and again",
  hint: "ask for the list again every few seconds",
};
const NO_PAGE: Refusal = {
  refused: "web_local_operation_forbidden",
  message: "no page may administer federation",
  hint: "use svc federation",
};
export const NO_CONNECTORS: Refusal = {
  refused: "integration_administration_forbidden",
  message: "no page may administer connectors and bridges",
  hint: "use svc connector",
};
const NO_TOKENS: Refusal = {
  refused: "token_admin_forbidden",
  message: "no page may administer tokens",
  hint: "use svc tokens",
};

/**
 * Returns the principal of a page's request, or the first refusal in the order of
 * docs/contract/network-and-access.md#32-the-order-of-checks.
 */
export function judgeSession(request: SessionAsked): PrincipalKind | Refusal {
  const { mode, right, get, session, pages, csrf } = request;
  if (right === "connectors") return NO_CONNECTORS;
  if (session === "web_local" && pages !== "local")
    return { refused: "web_local_operation_forbidden" };
  if (pages === "none") return NO_PAGE;
  if (right === "tokens") return NO_TOKENS;
  if (right === "profile") return { refused: "origin_forbidden" };
  if (right === "stream" && mode === "readonly") return CLOSED_STREAM;
  if ((!get || right === "write") && !isWritable(session, mode)) return { refused: "read_only" };
  if (!get && !csrf) return { refused: "csrf_invalid" };
  const may = RIGHTS[session][right];
  return may === "yes" ? session : { refused: may };
}
