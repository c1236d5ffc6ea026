import { sha256Hex } from "../../base/hash.ts";
import { invariant } from "../../base/invariant.ts";
import { newSecret } from "../../base/secret.ts";
import type { createToken as contract } from "../../contract/tokens.ts";
import { tokenCreated } from "../../domain/drafts/tokens.ts";
import { SYSTEM_PROJECT_UID } from "../../domain/tokens.ts";
import type { Tx } from "../../store/types/store.ts";
import type { Op } from "../deps.ts";
import { checkFingerprint, idempotencyKey, isForgotten } from "../guards.ts";
import { auditActor, tokenOut } from "./out.ts";

/**
 * Creates a token and answers with its plaintext. Only the hash is stored, so a repeat with the same idempotency key
 * finds the token but cannot return its plaintext.
 */
export const createToken: Op<typeof contract, "store" | "ids" | "clock"> = async (
  { store, ids, clock },
  who,
  { headers, body: { actor, name: label = "" } },
) => {
  const name = label === "" ? null : label;
  const key = idempotencyKey(headers["idempotency-key"]);
  const fingerprint = sha256Hex(JSON.stringify({ actor, name }));
  const plaintext = `svc_${newSecret()}`;
  // A new token is accepted only in the mode `identity`, the only mode with callers of the kind `bootstrap`.
  const accepted = who.kind === "bootstrap";
  return await store.write(async (tx) => {
    const known =
      key === undefined ? undefined : await findCreated(tx, key, fingerprint, clock.nowMs());
    if (known !== undefined) return { token: tokenOut(known), reused: true, accepted };
    const mark = key === undefined ? undefined : { key, fingerprint };
    const created = { uid: ids.ulid(), actor, name, token_hash: sha256Hex(plaintext), mark };
    const event = await tx.append(
      tokenCreated(created, { actor: auditActor(who, actor), now: tx.now }),
    );
    const token = await tx.tokens.createdBy(event.uid);
    invariant(token !== undefined, "a token is there once its event is in the log");
    return { token: tokenOut(token), plaintext, accepted };
  });
};

async function findCreated(tx: Tx, key: string, fingerprint: string, nowMs: number) {
  const known = await tx.marks.findIdempotency(SYSTEM_PROJECT_UID, "create", key);
  if (known === undefined || isForgotten(known, nowMs)) return undefined;
  checkFingerprint(known.fingerprint, fingerprint);
  return await tx.tokens.createdBy(known.event_uid);
}
