import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { sha256Hex } from "../../base/hash.ts";
import { Refusal } from "./refusal.ts";

/** What requests are compared with. */
export interface FrontRules {
  /** Host and port as the user named them. */
  readonly authority: string;
  readonly isLoopback: boolean;
  readonly token: string;
}

const ALLOWED = "GET, POST, DELETE";

/** Checks the headers of requests before anything of the body is read (facts mcp 2.4). Each check throws a `Refusal`. */
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
   * A page of another site whose name was pointed at this machine (DNS rebinding) sends its own name as `Host`. Two
   * names are refused on every listener, because a proxy may have checked the other one.
   */
  checkHost(req: IncomingMessage): void {
    const named = [targetHost(req.url), ...values(req, "host")].filter(
      (host) => host !== undefined,
    );
    const hosts = new Set(named.map((host) => withPort(host, 80)));
    const isOne = hosts.size === 1 && values(req, "host").length === 1;
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
    const origins = values(req, "origin");
    const isForeign = origins.some((origin) => authorityOf(origin) !== this.#own);
    const site = values(req, "sec-fetch-site");
    const isCrossSite = site.includes("cross-site") || site.includes("same-site");
    if (isForeign || isCrossSite || origins.length > 1)
      throw new Refusal(403, "pages of other sites are not served: call from outside a browser");
  }

  #checkBearer(req: IncomingMessage): void {
    const [sent, ...others] = values(req, "authorization");
    const token = /^bearer +([^ ]+)$/i.exec(sent ?? "")?.[1] ?? "";
    const isRight = timingSafeEqual(digestOf(token), this.#digest);
    if (isRight && others.length === 0) return;
    throw sent === undefined ? new Refusal(401, NO_TOKEN, CHALLENGE) : new WrongToken();
  }
}

const NO_TOKEN = "send the server's token: Authorization: Bearer <token>";
const CHALLENGE = { "WWW-Authenticate": "Bearer" };

/** The refusal of a request with a token that is not the server's. Its answer is delayed. */
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

/** Checks the headers that describe the body of a POST, and the answers that the client takes. */
export function checkForm(req: IncomingMessage): void {
  const [type, ...others] = values(req, "content-type").map(essence);
  if (type !== "application/json" || others.length > 0)
    throw new Refusal(415, "send Content-Type: application/json");
  const accepted = values(req, "accept").flatMap((value) => value.split(",").map(essence));
  if (!accepted.includes("application/json") || !accepted.includes("text/event-stream"))
    throw new Refusal(406, "send Accept: application/json, text/event-stream");
}

/** Every value of the header, in the order in which they came. Node itself keeps only one of some headers. */
function values(req: IncomingMessage, name: string): readonly string[] {
  return req.headersDistinct[name] ?? [];
}

function essence(value: string): string {
  return (value.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** The host of a target that is a whole URL (RFC 9112, 3.2.2). */
function targetHost(target: string | undefined): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(target ?? "")?.[1];
}

/** `http://127.0.0.1:7800` as `127.0.0.1:7800`; `undefined` for `null` and what is no origin of a page. */
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
