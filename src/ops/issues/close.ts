import type { closeIssue as contract } from "../../contract/actions.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Input } from "../../contract/route.ts";
import type { Mark } from "../../domain/drafts/draft.ts";
import { issueClosed } from "../../domain/drafts/issues.ts";
import { checkRevision } from "../../domain/issues.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { parentOf, reload, requireIssue } from "../find.ts";
import { idempotencyKey, ifMatchRevision } from "../guards.ts";
import { requireWritable } from "../leases/gate.ts";
import { eventOut } from "../out/events.ts";
import { issueOut } from "../out/issues.ts";
import { warningsOf } from "../out/warnings.ts";
import { materializeNext } from "../recurrences/materialize.ts";
import { withOccurrences } from "../recurrences/occurrences.ts";
import { checkedClose, checkSource, refuseOpenChildren } from "./close-guards.ts";
import { closeMark, replayClose, requireUnmoved } from "./replay-close.ts";
import { throttleClose } from "./throttle-close.ts";

type Body = Input<typeof contract>["body"];

/**
 * Closes an issue. The contract sets the order of checks (docs/contract/http-api.md#64-closing-and-its-guards):
 * repeated request, closed already, lease, revision, message and evidence, guards, write.
 */
export const closeIssue: Op<typeof contract, "store" | "settings" | "ids" | "fence"> = async (
  deps,
  who,
  input,
) => {
  const { params, headers, body } = input;
  const actor = actorOf(who, body.actor);
  const { key, revision } = retryGuards(headers, body);
  checkSource(who, body);
  const { instanceUid } = deps.store;
  const write = async (tx: Tx) => {
    const found =
      key === undefined
        ? await requireIssue(tx, params)
        : await requireUnmoved(tx, params, { key, actor, body, revision });
    const { project, issue } = found;
    const request = { issue_uid: issue.uid, request_ref: params.ref, actor, body, revision };
    const mark = key === undefined ? undefined : closeMark(key, request);
    const replayed = mark === undefined ? undefined : await replayClose(tx, found, mark);
    if (replayed !== undefined) return replayed;
    if (issue.status === "closed") return await alreadyClosed(tx, issue, mark);
    await requireWritable(tx, issue, { actor, instanceUid, fence: deps.fence });
    checkRevision("issue", issue.revision, revision);
    const close = await checkedClose(tx, issue, body);
    await refuseOpenChildren(tx, issue);
    const { reason, message } = close;
    const closing = { issue, actor, reason, message, now: tx.now };
    const throttled = await throttleClose(tx, deps.settings.close_throttle, closing);
    if (throttled !== undefined) {
      // Return the refusal instead of throwing it: throwing would roll the event back.
      if (body.dry_run !== true) await tx.append(throttled.event);
      return throttled.error;
    }
    if (body.dry_run === true)
      return { issue: await issueOut(tx, issue), event: null, changed: false };
    const how = { ...close, closed_at: tx.now, parent: await parentOf(tx, issue), mark };
    const event = await tx.append(issueClosed(issue, how, { actor, now: tx.now }));
    const after = await reload(tx, issue);
    const next_issue =
      reason === "done" ? await materializeNext(tx, deps, { issue, actor }) : undefined;
    const shown = await issueOut(tx, after);
    return {
      issue: shown,
      event: eventOut(event, project, { issue: after }),
      changed: true,
      ...warningsOf(shown, [event]),
      ...(next_issue === undefined ? {} : { next_issue }),
    };
  };
  const outcome = await withOccurrences(async () => await deps.store.write(write));
  if (outcome instanceof SvcError) throw outcome;
  return outcome;
};

interface RetryGuards {
  readonly key: string | undefined;
  readonly revision: number | undefined;
}

/**
 * Throws if a request has an `Idempotency-Key` or `If-Match` header but no `retry_protocol` in its body. Reason: an
 * older daemon would ignore these headers and close the issue, but it refuses a body with `retry_protocol`, because it
 * does not know this field.
 */
function retryGuards(headers: Input<typeof contract>["headers"], body: Body): RetryGuards {
  const key = idempotencyKey(headers["idempotency-key"]);
  const revision = ifMatchRevision(headers["if-match"]);
  if ((key !== undefined || revision !== undefined) && body.retry_protocol !== "close-v1") {
    throw new SvcError("retry_protocol_required");
  }
  return { key, revision };
}

async function alreadyClosed(tx: Tx, issue: StoredIssue, mark: Mark | undefined) {
  if (mark !== undefined) throw new SvcError("issue_already_closed");
  return { issue: await issueOut(tx, issue), event: null, changed: false };
}
