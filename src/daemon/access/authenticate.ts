import type { H3Event } from "h3";
import { sha256Hex } from "../../base/hash.ts";
import { SvcError } from "../../contract/errors.ts";
import type { PageReach } from "../../contract/route.ts";
import { NO_CONNECTORS } from "../../domain/access/browser.ts";
import type { Mode } from "../../domain/access/modes.ts";
import { type AccessRequest, judgeRequest, takesToken } from "../../domain/access/requests.ts";
import type { Right } from "../../domain/access/rights.ts";
import type { Principal } from "../../ops/deps.ts";
import type { TokenLookup } from "../../ops/tokens/resolve.ts";
import { headerOf, SocketEvent } from "../requests/event.ts";
import { firstValue, utf8Of } from "../requests/header-text.ts";
import { type BearerCheck, headerCheck, type KnownToken, tokenCheck } from "./bearer-check.ts";
import { isOwnPeer, isProvenOwner, isProxyPeer, type Peers } from "./peer.ts";
import { proxyActor } from "./proxy-actor.ts";
import { sessionGate } from "./session-gate.ts";
import type { Sessions } from "./sessions.ts";

export interface Authentication {
  readonly mode: Mode;
  /** Whether every token of a person may administer connectors, in the mode `identity`. */
  readonly tokensAdministerConnectors?: boolean;
  /** The configured token, in the modes `static` and `identity`. */
  readonly token?: string | undefined;
  /** Looks up tokens in the database, for the mode `identity`. */
  readonly lookup?: TokenLookup | undefined;
  /** Finds out which user made a loopback connection, in the mode `open`. Without it, everybody counts as the owner. */
  readonly peers?: Peers | undefined;
  /** The sessions of browser pages. Absent if the daemon serves no pages. */
  readonly sessions?: Sessions | undefined;
}

/**
 * Returns the principal of the request, or throws if the principal does not have the right. `pages` says which pages
 * may call the route; by default all with a session, except those of this machine that were opened without a token
 * (`web_local`). Returns a promise only if it must look up a token or the user of a new connection, so that all other
 * requests continue without waiting.
 */
export type Authenticate = (
  event: H3Event,
  right: Right,
  pages?: PageReach,
) => Principal | Promise<Principal>;

/**
 * Returns the function that authenticates requests: those of pages by their session, all others by their token. Every
 * route calls it first, including the routes of `/debug/pprof/`.
 */
export function authenticator(authentication: Authentication): Authenticate {
  const {
    mode,
    token,
    lookup,
    peers,
    sessions,
    tokensAdministerConnectors = false,
  } = authentication;
  const check = headerCheck(tokenCheck(mode, token, lookup), lookup);
  const checksBearer = takesToken(mode);
  const bySession = sessions && sessionGate({ mode, lookup, peers, sessions });

  const byCredential: Authenticate = (event, right, pages = "session") => {
    if (right === "enrollment") return byEnrollment(event);
    const session = bySession?.(event, right, pages);
    if (session !== undefined) return session;
    // Browsers name the site, also for a page's request without its session, and for one that a person has typed.
    if (right === "connectors" && headerOf(event, "sec-fetch-site") !== undefined)
      throw refusalError(NO_CONNECTORS, undefined);
    const header = trustedHeaderOf(event);
    const anonymous = (): Principal => ({ kind: "none", local: isProvenOwner(event) });
    if (right === "open") return anonymous();
    if (mode === "open" && header === undefined) {
      const own = isOwnPeer(event, peers);
      if (own === true) return anonymous();
      const judge = (known: boolean): Principal =>
        known ? anonymous() : principalOf(event, { mode, right, bearer: "none", peer: "other" });
      return own === false ? judge(own) : own.then(judge);
    }
    const decide = (bearer: AccessRequest["bearer"], known?: KnownToken): Principal =>
      principalOf(event, { mode, right, bearer, tokensAdministerConnectors }, header, known);
    const sent = checksBearer ? bearerOf(event) : undefined;
    if (sent === undefined) return decide("none");
    const principalFor = (checked: BearerCheck): Principal =>
      decide(checked.bearer, checked.bearer === "database" ? checked.known : undefined);
    const checked = check(
      sent,
      event instanceof SocketEvent ? event.connection.req.socket : undefined,
    );
    return checked instanceof Promise ? checked.then(principalFor) : principalFor(checked);
  };
  const who: Authenticate = (event, right, pages) => {
    const isProxy = right === "open" || isProxyPeer(event, peers);
    if (isProxy === true) return byCredential(event, right, pages);
    return isProxy.then((known) =>
      known
        ? byCredential(event, right, pages)
        : principalOf(event, { mode, right, bearer: "none", peer: "not_proxy" }),
    );
  };
  return (event, right, pages) => {
    const known = who(event, right, pages);
    // The token of an enrollment is checked later, by the operation.
    if (right === "open" || right === "enrollment" || !(event instanceof SocketEvent)) return known;
    const letIn = (principal: Principal): Principal => {
      event.connection.slow.letIn(event.connection.req);
      return principal;
    };
    return known instanceof Promise ? known.then(letIn) : letIn(known);
  };
}

/**
 * Takes the token of an enrollment, whatever the mode of the daemon. The operation finds the enrollment by the hash, in
 * the transaction that reads or writes, so that a revocation counts at once.
 */
function byEnrollment(event: H3Event): Principal {
  const sent = bearerOf(event) ?? "";
  if (sent === "") throw new SvcError("auth_required", {}, NO_ENROLLMENT_TOKEN);
  return { kind: "enrollment", local: false, enrollmentHash: sha256Hex(utf8Of(sent)) };
}

const NO_ENROLLMENT_TOKEN = {
  message: "this is for other daemons, which send the token of their enrollment",
  hint: "svc federation enroll makes an enrollment",
};

function principalOf(
  event: H3Event,
  request: Omit<AccessRequest, "get" | "proxy">,
  header?: string,
  known?: KnownToken,
): Principal {
  const named = header === undefined ? undefined : firstValue(event, header);
  const get = event.req.method === "GET" || event.req.method === "HEAD";
  const judged = judgeRequest({ ...request, get, proxy: proxyOf(header, named) });
  if (typeof judged !== "string") throw refusalError(judged, header);
  switch (judged) {
    case "none":
    case "static_token":
      return { kind: judged, local: isProvenOwner(event) };
    case "db_token":
      return {
        kind: judged,
        local: false,
        ...(known && { actor: known.actor, tokenId: known.id }),
      };
    case "trusted_proxy":
      return { kind: judged, local: false, ...proxyActor(header, named, request.right) };
    case "bootstrap":
    case "trusted_proxy_absent":
    case "web_local":
    case "enrollment":
      return { kind: judged, local: false };
  }
}

/**
 * Returns the token in the `Authorization` header as Node reads it, with one character for each byte. A token is
 * accepted nowhere else: a token in a query, for example, would end up in logs and browser histories.
 */
function bearerOf(event: H3Event): string | undefined {
  // `one-value.ts` has already refused a second Authorization header.
  const value = headerOf(event, "authorization") ?? "";
  return value.startsWith(SCHEME) ? value.slice(SCHEME.length) : undefined;
}

const SCHEME = "Bearer ";

function trustedHeaderOf(event: H3Event): string | undefined {
  return event instanceof SocketEvent ? event.connection.listener.trustedHeader : undefined;
}

function proxyOf(header: string | undefined, named: string | undefined): AccessRequest["proxy"] {
  if (header === undefined) return "untrusted";
  return named === undefined ? "absent" : "present";
}

function refusalError(
  { refused, message, hint }: Exclude<ReturnType<typeof judgeRequest>, string>,
  header: string | undefined,
): SvcError {
  const data = refused === "actor_header_required" ? { header } : {};
  return new SvcError(refused, data, {
    ...(message === undefined ? {} : { message }),
    ...(hint === undefined ? {} : { hint }),
  });
}
