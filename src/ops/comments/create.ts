import { sha256Hex } from "../../base/hash.ts";
import type { createComment as contract } from "../../contract/comments.ts";
import { issueCommented } from "../../domain/drafts/issues.ts";
import type { Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { type FoundIssue, requireIssue } from "../find.ts";
import { checkFingerprint, idempotencyKey } from "../guards.ts";
import { commentResponse } from "./response.ts";

/**
 * Adds a comment. An idempotency key belongs to the issue, so a repeat is recognized even after the issue has moved
 * (docs/contract/http-api.md#17-idempotency-keys).
 */
export const createComment: Op<typeof contract, "store" | "ids"> = async (
  deps,
  who,
  { params, headers, body },
) => {
  const actor = actorOf(who, body.actor);
  const key = idempotencyKey(headers["idempotency-key"]);
  return await deps.store.write(async (tx) => {
    const found = await requireIssue(tx, params);
    const request = { issue_uid: found.issue.uid, actor, body: body.body };
    const fingerprint = sha256Hex(JSON.stringify(request));
    const repeated =
      key === undefined ? undefined : await answerOfRepeat(tx, found, key, fingerprint);
    if (repeated !== undefined) return repeated;
    const uid = deps.ids.ulid();
    const mark = key === undefined ? undefined : { key, fingerprint };
    const comment = { uid, author: actor, body: body.body, teammate: body.teammate, mark };
    const draft = issueCommented(found.issue, comment, { actor, now: tx.now });
    return await commentResponse(tx, found, uid, await tx.append(draft));
  });
};

async function answerOfRepeat(tx: Tx, found: FoundIssue, key: string, fingerprint: string) {
  const known = await tx.marks.findIdempotency(found.issue.uid, "comment", key);
  if (known === undefined) return undefined;
  checkFingerprint(known.fingerprint, fingerprint);
  const original = await tx.events.find(known.event_uid);
  if (original?.type !== "issue.commented") return undefined;
  return await commentResponse(tx, found, original.payload.comment_uid);
}
