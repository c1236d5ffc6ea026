import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { sha256Hex } from "../../base/hash.ts";
import { Refusal } from "./refusal.ts";

export interface FrontRules {
  /** The host and port of the server, as the user named them. */
  readonly authority: string;
  readonly isLoopback: boolean;
  readonly token: string;
}

const ALLOWED = "GET, POST, DELETE";

/**
 * Checks the headers of requests before the body is read (docs/contract/tools.md#24-over-http). Each check throws a
 * `Refusal` if it fails.
 */
export class Front {
  readonly #own: string;
  readonly #isLoopback: boolean;
  readonly #digest: Buffer;

  constructor({ authority, isLoopback, token }: FrontRules) {
    this.#own = withPort(authority, 80);
    this.#isLoopback = isLoopback;
    this.#digest = digestOf(token);
  }

  /**
   * Checks that a request names one host and, on loopback, that this host is the server. This guards against DNS
   * rebinding: if the name of another site is made to point at this machine, a page of that site sends that name as
   * `Host`. A request that names two hosts is refused on every listener, because a proxy may have checked only one of
   * them.
   */
  checkHost(req: IncomingMessage): void {
    const named = [targetHost(req.url), ...headerValues(req, "host")].filter(
      (host) => host !== undefined,
    );
    const hosts = new Set(named.map((host) => withPort(host, 80)));
    const isOne = hosts.size === 1 && headerValues(req, "host").length === 1;
    if (isOne && (!this.#isLoopback || hosts.has(this.#own))) return;
    throw new Refusal(403, `Host is not the address of this server: send Host: ${this.#own}`);
  }

  /** Checks a request for `/mcp`: origin, then token, then method. */
  checkCall(req: IncomingMessage): void {
    this.#checkOrigin(req);
    this.#checkBearer(req);
    checkMethod(req);
  }

  #checkOrigin(req: IncomingMessage): void {
    const origins = headerValues(req, "origin");
    const isForeign = origins.some((origin) => authorityOf(origin) !== this.#own);
    const site = headerValues(req, "sec-fetch-site");
    const isCrossSite = site.includes("cross-site") || site.includes("same-site");
    if (isForeign || isCrossSite || origins.length > 1)
      throw new Refusal(403, "pages of other sites are not served: call from outside a browser");
  }

  #checkBearer(req: IncomingMessage): void {
    const [sent, ...others] = headerValues(req, "authorization");
    const token = /^bearer +([^ ]+)$/i.exec(sent ?? "")?.[1] ?? "";
    const isRight = timingSafeEqual(digestOf(token), this.#digest);
    if (isRight && others.length === 0) return;
    throw sent === undefined ? new Refusal(401, NO_TOKEN, CHALLENGE) : new WrongToken();
  }
}

const NO_TOKEN = "send the server's token: Authorization: Bearer <token>";
const CHALLENGE = { "WWW-Authenticate": "Bearer" };

/** The refusal of a request whose token is not the server's. The answer is delayed. */
export class WrongToken extends Refusal {
  constructor() {
    super(401, NO_TOKEN, CHALLENGE);
  }
}

function checkMethod({ method, headers }: IncomingMessage): void {
  if (method !== "POST" && method !== "GET" && method !== "DELETE")
    throw new Refusal(405, `send ${ALLOWED}`, { Allow: ALLOWED });
  if (method === "POST" || headers["mcp-session-id"] !== undefined) return;
  if (headers["mcp-protocol-version"] === "2026-07-28")
    throw new Refusal(405, "this protocol version uses POST only", { Allow: "POST" });
  throw new Refusal(400, "Mcp-Session-Id is missing: begin with initialize");
}

export function checkForm(req: IncomingMessage): void {
  const [type, ...others] = headerValues(req, "content-type").map(mediaType);
  if (type !== "application/json" || others.length > 0)
    throw new Refusal(415, "send Content-Type: application/json");
  const accepted = headerValues(req, "accept").flatMap((value) => value.split(",").map(mediaType));
  if (!accepted.includes("application/json") || !accepted.includes("text/event-stream"))
    throw new Refusal(406, "send Accept: application/json, text/event-stream");
}

/** Returns all values of the header, in their order. Node's `headers` has only one value of some headers. */
function headerValues(req: IncomingMessage, name: string): readonly string[] {
  return req.headersDistinct[name] ?? [];
}

function mediaType(value: string): string {
  return (value.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** The host of the request's target, if the target is a whole URL (RFC 9112, 3.2.2). */
function targetHost(target: string | undefined): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(target ?? "")?.[1];
}

/**
 * The host and port of an origin: `127.0.0.1:7800` for `http://127.0.0.1:7800`. `undefined` for `null` and other values
 * that are not the origin of a page.
 */
function authorityOf(origin: string): string | undefined {
  const [, scheme, authority] = /^(https?):\/\/([^/?#@]+)$/i.exec(origin) ?? [];
  if (scheme === undefined || authority === undefined) return undefined;
  return withPort(authority, scheme.toLowerCase() === "https" ? 443 : 80);
}

function withPort(authority: string, port: number): string {
  const text = authority.toLowerCase();
  return /:\d+$/.test(text.replace(/^\[[^\]]*\]/, "")) ? text : `${text}:${port}`;
}

function digestOf(token: string): Buffer {
  return Buffer.from(sha256Hex(token));
}
