import type { timingSafeEqual } from "node:crypto";
import type { H3Event } from "h3";
import { sha256Hex } from "../base/hash.ts";
import { invalidField, SvcError } from "../contract/errors.ts";
import { Actor } from "../contract/values.ts";
import type { Mode } from "../domain/access/modes.ts";
import { type Asked, judgeRequest } from "../domain/access/requests.ts";
import type { Right } from "../domain/access/rights.ts";
import type { Principal } from "../ops/deps.ts";
import type { TokenLookup } from "../ops/tokens/resolve.ts";
import { headerOf, rawHeaders, receivedBy, SocketEvent } from "./event.ts";
import type { PeerUsers } from "./peer-users.ts";

/** What requests are authenticated with; decided when the daemon starts. */
export interface Authentication {
  readonly mode: Mode;
  /** The configured token, in the modes `static` and `identity`. */
  readonly token?: string | undefined;
  /** Finds the tokens of the mode `identity`. */
  readonly lookup?: TokenLookup | undefined;
  /** Finds out which user made a loopback connection, in the mode `open`. Without it, everybody counts as the owner. */
  readonly peers?: Pick<PeerUsers, "isOwn"> | undefined;
}

/**
 * Returns the principal of a request that needs the right, or throws the refusal. Returns a promise only if it must
 * look up a token, or the user at the other end of a new connection. Awaiting every time would delay requests, so that
 * those that arrived together no longer share a read.
 */
export type Authenticate = (event: H3Event, right: Right) => Principal | Promise<Principal>;

/**
 * Returns the function that authenticates a request. Every route calls it before anything else, those of
 * `/debug/pprof/` too.
 */
export function authenticator({ mode, token, lookup, peers }: Authentication): Authenticate {
  const digest = token === undefined ? undefined : Buffer.from(sha256Hex(token));
  const checksBearer = mode === "static" || mode === "identity";

  return (event, right) => {
    const header = trustedHeaderOf(event);
    const nobody = (): Principal => ({ kind: "none", local: isOwner(event) });
    if (right === "open") return nobody();
    if (mode === "open" && header === undefined) {
      const own = isOwnPeer(event, peers);
      if (own === true) return nobody();
      const judge = (known: boolean): Principal =>
        known ? nobody() : principalOf(event, { mode, right, bearer: "none", peer: "other" });
      return own === false ? judge(own) : own.then(judge);
    }
    const decide = (bearer: Asked["bearer"], known?: KnownToken): Principal =>
      principalOf(event, { mode, right, bearer }, header, known);
    const decideBy = (known: KnownToken): Principal =>
      known === undefined ? decide("wrong") : decide("database", known);
    const sent = checksBearer ? bearerOf(event) : undefined;
    if (sent === undefined) return decide("none");
    const given = sha256Hex(sent);
    if (digest !== undefined && isEqual(given, digest)) return decide("configured");
    if (mode !== "identity" || lookup === undefined) return decide("wrong");
    const found = lookup(given);
    return found instanceof Promise ? found.then(decideBy) : decideBy(found);
  };
}

type KnownToken = Awaited<ReturnType<TokenLookup>>;

function principalOf(
  event: H3Event,
  asked: Pick<Asked, "mode" | "right" | "bearer" | "peer">,
  header?: string,
  known?: KnownToken,
): Principal {
  const named = header === undefined ? undefined : firstValue(event, header);
  const get = event.req.method === "GET" || event.req.method === "HEAD";
  const judged = judgeRequest({ ...asked, get, proxy: proxyOf(header, named) });
  if (typeof judged !== "string") throw refusal(judged, header);
  switch (judged) {
    case "none":
    case "static_token":
      return { kind: judged, local: isOwner(event) };
    case "db_token":
      return {
        kind: judged,
        local: false,
        ...(known && { actor: known.actor, tokenId: known.id }),
      };
    case "trusted_proxy":
      return { kind: judged, local: false, ...proxyActor(header, named, asked.right) };
    case "bootstrap":
    case "trusted_proxy_absent":
      return { kind: judged, local: false };
  }
}

/**
 * The token in the `Authorization` header: exactly what follows `Bearer `. A token is accepted nowhere else; in a query
 * it would end up in logs and histories.
 */
function bearerOf(event: H3Event): string | undefined {
  const received = receivedBy(event);
  const sent = received === undefined ? [headerOf(event, NAME) ?? ""] : rawHeaders(received, NAME);
  const [value = ""] = sent;
  return value.startsWith(SCHEME) ? utf8Of(value.slice(SCHEME.length)) : undefined;
}

const NAME = "authorization";
const SCHEME = "Bearer ";

/** Compares digests in constant time, so that the time reveals nothing about the token, not even its length. */
function isEqual(given: string, digest: Buffer): boolean {
  equal ??= process.getBuiltinModule("node:crypto").timingSafeEqual;
  return equal(Buffer.from(given), digest);
}

let equal: typeof timingSafeEqual | undefined;

/** Whether the owner, or root, made the connection on which the request came. */
export function isOwnPeer(
  event: H3Event,
  peers: Authentication["peers"],
): boolean | Promise<boolean> {
  if (peers === undefined || !(event instanceof SocketEvent)) return true;
  const { listener, req } = event.connection;
  return listener.kind === "socket" || peers.isOwn(req.socket);
}

function trustedHeaderOf(event: H3Event): string | undefined {
  return event instanceof SocketEvent ? event.connection.listener.trustedHeader : undefined;
}

/**
 * The first value of a header. Node joins repeated headers with commas, and a name may contain a comma, so this reads
 * the headers as they were sent.
 */
function firstValue(event: H3Event, name: string): string | undefined {
  const received = receivedBy(event);
  const value = received === undefined ? undefined : rawHeaders(received, name)[0]?.trim();
  return value === undefined || value === "" ? undefined : utf8Of(value);
}

/**
 * Decodes a header value, which Node gives with one character for each byte. A value that is not UTF-8 stays as it is:
 * with replacement characters, two different names could become equal.
 */
function utf8Of(value: string): string {
  if (ASCII.test(value)) return value;
  const text = Buffer.from(value, "latin1").toString("utf8");
  return text.includes("\ufffd") ? value : text;
}

const ASCII = /^[\x20-\x7e]*$/;

function proxyOf(header: string | undefined, named: string | undefined): Asked["proxy"] {
  if (header === undefined) return "untrusted";
  return named === undefined ? "absent" : "present";
}

/**
 * The actor that the proxy's header names. An invalid name is refused only when a write needs it; reads are never
 * refused.
 */
function proxyActor(
  header = "",
  named: string | undefined,
  right: Right,
): { readonly actor?: string } {
  const parsed = Actor().safeParse(named);
  if (parsed.success && parsed.data) return { actor: parsed.data };
  if (right !== "write") return {};
  const [issue] = parsed.error?.issues ?? [];
  throw invalidField(header, issue?.message ?? "must name the actor");
}

function refusal(
  { refused, message, hint }: Exclude<ReturnType<typeof judgeRequest>, string>,
  header: string | undefined,
): SvcError {
  const data = refused === "actor_header_required" ? { header } : {};
  return new SvcError(refused, data, {
    ...(message === undefined ? {} : { message }),
    ...(hint === undefined ? {} : { hint }),
  });
}

/**
 * True for the owner of the machine: on the socket, or on loopback without a proxy between, which may speak for another
 * machine.
 */
function isOwner(event: H3Event): boolean {
  const listener = event instanceof SocketEvent ? event.connection.listener : undefined;
  if (listener?.trustedHeader !== undefined) return false;
  if (listener?.kind === "socket") return true;
  if (listener?.local === false) return false;
  return !FORWARDING_HEADERS.some((name) => headerOf(event, name) !== undefined);
}

const FORWARDING_HEADERS = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];
