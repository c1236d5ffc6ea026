import type { Mode } from "../../src/domain/access/modes.ts";
import type { Right } from "../../src/domain/access/rights.ts";

/** The parts of a request that decide who may make it. Tokens are given by name. */
export interface Attempt {
  readonly mode: Mode;
  readonly trusted: boolean;
  readonly network: "unix" | "tcp";
  /** Whether another user than that of the trusted proxy makes the connection. On a socket nobody can tell. */
  readonly stranger: boolean;
  readonly right: Right;
  /** `known`: whether the method is that of the route. `get`: whether the method is GET or HEAD. */
  readonly known: boolean;
  readonly get: boolean;
  readonly host: "own" | "foreign" | "two";
  readonly origin: boolean;
  /** The value of each `Authorization` header, in order. */
  readonly authorization: readonly ("own" | "ann" | "revoked" | "prefix" | "basic" | "spaced")[];
  /** The value of each actor header, in order. */
  readonly actors: readonly string[];
  readonly bodyActor: string;
  /** Whether the setting lets tokens of persons administer connectors. */
  readonly setting: boolean;
  /** Whether a proxy's header says that the request was forwarded. */
  readonly forwarded: boolean;
}

/**
 * The refusal before the operation runs, or the actor that a write has; `undefined` if the operation itself refuses.
 */
export type Expected =
  | { readonly refused: string; readonly status: number }
  | { readonly passes: true; readonly actor: string | undefined };

const no = (status: number, refused: string): Expected => ({ refused, status });

/**
 * A second implementation of the contract's rules for requests (docs/contract/network-and-access.md#12-who-a-request-is
 * and docs/contract/network-and-access.md#13-trusted-proxies), written as a series of decisions, to compare the
 * daemon's table with.
 */
export function expectedOf(attempt: Attempt): Expected {
  const { mode, right, get, trusted, authorization } = attempt;
  if (attempt.host === "two") return no(400, "host_invalid");
  if (attempt.network === "tcp" && attempt.host === "foreign") return no(400, "host_invalid");
  if (authorization.length > 1) return no(400, "validation");
  if (attempt.origin) return no(403, "origin_forbidden");
  if (!attempt.known) return no(405, "method_not_allowed");
  if (right === "open") return { passes: true, actor: undefined };
  if (trusted && attempt.network === "tcp" && attempt.stranger) return no(401, "auth_required");

  // The mode makes no difference, and none of the tokens here is one of an enrollment.
  if (right === "enrollment") {
    const [sent] = authorization;
    if (sent === undefined || sent === "basic") return no(401, "auth_required");
    return no(403, "auth_invalid");
  }
  if ((mode === "tokenless" || mode === "readonly") && right === "connectors")
    return no(403, FORBIDDEN);
  if (mode === "tokenless" && (right === "tokens" || right === "profile"))
    return no(401, "auth_required");
  if (mode === "readonly" && !(get && right === "read")) return no(401, "auth_required");
  let tokenActor: string | undefined;
  let bootstrap = false;
  if (mode === "static" || mode === "identity") {
    const [sent] = authorization;
    if (sent === undefined || sent === "basic") return no(401, "auth_required");
    if (mode === "static" && sent !== "own") return no(403, "auth_invalid");
    if (mode === "identity" && sent !== "own" && sent !== "ann") return no(403, "token_invalid");
    bootstrap = mode === "identity" && sent === "own";
    if (sent === "ann") tokenActor = "ann";
  }
  // Nobody whom a proxy names, and neither the bootstrap token nor a token of a person without the setting.
  const administers = attempt.setting && tokenActor !== undefined && !trusted;
  if (right === "connectors" && (trusted || mode === "identity") && !administers)
    return no(403, FORBIDDEN);
  if (trusted) {
    const named = (attempt.actors[0] ?? "").trim();
    if (right === "tokens") return no(403, "token_admin_forbidden");
    if (right !== "write") return { passes: true, actor: undefined };
    if (named === "") return no(400, "actor_header_required");
    if (named.length > 256 || NO_NAMES.has(named)) return no(400, "validation");
    return { passes: true, actor: named };
  }
  if (right === "write" && bootstrap) return no(403, "bootstrap_token_write_forbidden");
  if (right === "tokens" && tokenActor !== undefined) return no(403, "token_admin_forbidden");
  return { passes: true, actor: tokenActor ?? attempt.bodyActor };
}

const FORBIDDEN = "integration_administration_forbidden";

/**
 * Whether a request that passes comes from the owner of the machine, who may close without evidence
 * (docs/contract/http-api.md#42-close-reasons-messages-and-evidence).
 */
export function isOwners({ mode, trusted, network, forwarded }: Attempt): boolean {
  if (trusted || mode === "identity") return false;
  return network === "unix" && !forwarded;
}

/** Names that no new write may have; others are refused for their characters. */
const NO_NAMES: ReadonlySet<string> = new Set(["@me", "bootstrap", "system"]);

/** Codes that only access checks answer with, never an operation. */
export const BEFORE: ReadonlySet<string> = new Set([
  ...["auth_required", "auth_invalid", "token_invalid", "bootstrap_token_write_forbidden"],
  ...[
    "token_admin_forbidden",
    "integration_administration_forbidden",
    "actor_header_required",
    "host_invalid",
    "origin_forbidden",
  ],
  ...["method_not_allowed"],
]);
