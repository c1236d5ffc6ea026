import { invariant } from "../../base/invariant.ts";
import { SvcError } from "../../contract/errors.ts";
import type { revokeToken as contract } from "../../contract/tokens.ts";
import { tokenRevoked } from "../../domain/drafts/tokens.ts";
import { SYSTEM_PROJECT_UID } from "../../domain/tokens.ts";
import type { Op } from "../deps.ts";
import { eventOut } from "../out/events.ts";
import { auditActor, tokenOut } from "./out.ts";

/** The project of the event in the answer: the system project. It has no row, so its id is 0, which no project has. */
const SYSTEM_PROJECT = { id: 0, uid: SYSTEM_PROJECT_UID, name: "" };

/**
 * Revokes a token. If it was revoked before, returns it unchanged and writes no event. The answer names the enrollments
 * that were made with the token, since other daemons can still use them.
 */
export const revokeToken: Op<typeof contract> = async ({ store }, who, { params: { id } }) =>
  await store.write(async (tx) => {
    const known = await tx.tokens.find(id);
    if (known === undefined) throw new SvcError("token_not_found", { id });
    const made = await tx.federation.madeWith(known.uid);
    const enrollments = made.length === 0 ? {} : { enrollments: [...made] };
    if (known.revoked_at !== null) return { token: tokenOut(known), event: null, ...enrollments };
    const actor = auditActor(who, known.actor);
    const event = await tx.append(tokenRevoked(known, { actor, now: tx.now }));
    const token = await tx.tokens.find(id);
    invariant(token !== undefined, "a revoked token stays in the list");
    return { token: tokenOut(token), event: eventOut(event, SYSTEM_PROJECT), ...enrollments };
  });
