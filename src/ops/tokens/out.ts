import { BOOTSTRAP_ACTOR } from "../../contract/reserved-actors.ts";
import type { StoredToken } from "../../store/types/tokens.ts";
import type { Principal } from "../deps.ts";

/** A token as answers show it: no hash, and no uid, which only the log needs. */
export function tokenOut({ id, actor, name, created_at, last_used_at, revoked_at }: StoredToken) {
  return { id, actor, name, created_at, last_used_at, revoked_at };
}

/**
 * The actor of the event that created or revoked a token: the bootstrap actor for a caller with the configured token,
 * otherwise the token's own actor (docs/contract/network-and-access.md#2-tokens).
 */
export function auditActor({ kind }: Principal, tokenActor: string): string {
  return kind === "bootstrap" || kind === "static_token" ? BOOTSTRAP_ACTOR : tokenActor;
}
