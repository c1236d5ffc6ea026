import type { H3Event } from "h3";
import { equalDigests } from "../../base/equal-digests.ts";
import { sha256Hex } from "../../base/hash.ts";
import { SvcError } from "../../contract/errors.ts";
import type { PageReach } from "../../contract/route.ts";
import { CSRF_HEADER, SESSION_HEADER } from "../../contract/sessions.ts";
import { judgeSession, needsSession } from "../../domain/access/browser.ts";
import type { Mode } from "../../domain/access/modes.ts";
import { takesToken } from "../../domain/access/requests.ts";
import type { Right } from "../../domain/access/rights.ts";
import type { Principal } from "../../ops/deps.ts";
import type { TokenLookup } from "../../ops/tokens/resolve.ts";
import { headerOf, SocketEvent } from "../requests/event.ts";
import { firstValue } from "../requests/header-text.ts";
import { namedHost } from "../requests/host.ts";
import { isLoopbackHost } from "../requests/loopback-host.ts";
import type { KnownToken } from "./bearer-check.ts";
import { isForwarded, isOwnPeer, type Peers } from "./peer.ts";
import { proxyActor } from "./proxy-actor.ts";
import type { Session, Sessions } from "./sessions.ts";

interface GateDeps {
  readonly mode: Mode;
  readonly lookup: TokenLookup | undefined;
  readonly peers: Peers | undefined;
  readonly sessions: Sessions;
}

/** Returns the principal of the request's session, or `undefined` if the request must be authenticated by token. */
type SessionGate = (
  event: H3Event,
  right: Right,
  pages: PageReach,
) => Principal | Promise<Principal> | undefined;

/**
 * Returns the function that authenticates requests of pages by their session
 * (docs/contract/network-and-access.md#32-the-order-of-checks, steps 5 to 9).
 */
export function sessionGate({ mode, lookup, peers, sessions }: GateDeps): SessionGate {
  return (event, right, pages) => {
    if (!(event instanceof SocketEvent) || !isNeeded(event, mode, right, sessions))
      return undefined;
    const session = sessionOf(event, sessions);
    if (session === undefined)
      throw new SvcError("web_session_required", takesToken(mode) ? {} : NO_TOKEN_HERE);

    const { trustedHeader: header } = event.connection.listener;
    const judge = (as: Principal["kind"] = session.kind): Principal["kind"] => {
      const get = isGet(event);
      const csrf = !get && isCsrf(event, session);
      const judged = judgeSession({ mode, right, get, session: as, pages, csrf });
      if (typeof judged === "string") return judged;
      const { refused, ...options } = judged;
      throw new SvcError(refused, refused === "actor_header_required" ? { header } : {}, options);
    };
    const { kind, actor, tokenHash, proven = false } = session;
    const principal = (local = false): Principal => ({
      kind: judge(),
      local,
      ...(actor && { actor }),
    });
    if (kind === "web_local")
      return whenOwn(isOwnPeer(event, peers), () => principal(proven && !isForwarded(event)));
    if (kind === "trusted_proxy" && actor !== proxiedUser(event))
      throw endWithError(sessions, session);
    if (kind === "static_token" && header !== undefined) {
      // The token of the login only allows the session. The actor is still the one that the proxy names
      // (docs/contract/network-and-access.md#13-trusted-proxies).
      const name = proxiedUser(event);
      if (name === undefined) return { kind: judge("trusted_proxy_absent"), local: false };
      return { kind: judge("trusted_proxy"), local: false, ...proxyActor(header, name, right) };
    }
    if (kind !== "db_token") return principal();

    const byToken = (known: KnownToken | undefined): Principal => {
      if (known === undefined) throw endWithError(sessions, session);
      return { kind: judge(), local: false, actor: known.actor, tokenId: known.id };
    };
    const found = lookup?.(tokenHash ?? "");
    return found instanceof Promise ? found.then(byToken) : byToken(found);
  };
}

/** The valid session of a page's request. A session is valid only on the listener on which it was opened. */
export function sessionOf(event: SocketEvent, sessions: Sessions): Session | undefined {
  const { id, origin } = event.connection.listener;
  if (origin === undefined) return undefined;
  const header = headerOf(event, SESSION_HEADER);
  return sessions.find(header, headerOf(event, "cookie"), { id, origin });
}

export function isCsrf(event: H3Event, { csrfHash }: Session): boolean {
  return equalDigests(sha256Hex(headerOf(event, CSRF_HEADER) ?? ""), csrfHash);
}

export function hasSessionMark(event: SocketEvent, sessions: Sessions): boolean {
  const { id, origin } = event.connection.listener;
  if (headerOf(event, SESSION_HEADER) !== undefined) return true;
  const cookies = headerOf(event, "cookie");
  return origin !== undefined && sessions.hasCookie(cookies, { id, origin });
}

function isNeeded(event: SocketEvent, mode: Mode, right: Right, sessions: Sessions): boolean {
  const { kind, allowedHosts, directHosts } = event.connection.listener;
  if (kind === "socket") return false;
  return needsSession({
    kind,
    mode,
    right,
    get: isGet(event),
    header: headerOf(event, SESSION_HEADER) !== undefined,
    marked: isMarked(event, sessions),
    // If the listener has no public origin, both sets are the same set, and every accepted host is the listener's own.
    direct: directHosts === allowedHosts || isDirect(event),
  });
}

function isMarked(event: SocketEvent, sessions: Sessions): boolean {
  return (headerOf(event, "origin") ?? "") !== "" || hasSessionMark(event, sessions);
}

/**
 * Whether the request names the listener itself and not the public origin. On a local listener any loopback name
 * counts, because a tunnel may forward another loopback port to this one (`isAddressedHere` in app.ts).
 */
function isDirect({ connection: { req, listener } }: SocketEvent): boolean {
  const named = namedHost(req);
  return listener.directHosts.has(named ?? "") || (listener.local && isLoopbackHost(named));
}

/**
 * Judges a session that was opened without a token. It is accepted only on connections of the user who runs the daemon.
 */
function whenOwn(own: boolean | Promise<boolean>, named: () => Principal) {
  const judge = (known: boolean): Principal => {
    if (!known) throw new SvcError("web_session_required");
    return named();
  };
  return own instanceof Promise ? own.then(judge) : judge(own);
}

/** Returns the actor that a trusted proxy names in this request. */
function proxiedUser(event: SocketEvent): string | undefined {
  const { trustedHeader } = event.connection.listener;
  return trustedHeader === undefined ? undefined : firstValue(event, trustedHeader);
}

/** The `data` of a refusal by a daemon that accepts no tokens. It tells a page not to ask the person for one. */
const NO_TOKEN_HERE = { takes_token: false };

function endWithError(sessions: Sessions, session: Session): SvcError {
  sessions.end(session);
  return new SvcError("web_session_required");
}

function isGet({ req: { method } }: H3Event): boolean {
  return method === "GET" || method === "HEAD";
}
