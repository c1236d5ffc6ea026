import { invariant } from "../../base/invariant.ts";
import { SvcError } from "../../contract/errors.ts";
import type { createRecurrence as contract } from "../../contract/recurrences.ts";
import type { Output } from "../../contract/route.ts";
import { recurrenceCreated } from "../../domain/drafts/recurrences.ts";
import { decideMetadata } from "../../domain/issues.ts";
import { checkedTiming, newTemplate, noDay } from "../../domain/recurrences/definition.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { requireIssue, requireProject } from "../find.ts";
import { requireWritable } from "../leases/gate.ts";
import { recurrenceOut } from "../out/recurrences.ts";
import { occurrences, withOccurrences } from "./occurrences.ts";

/**
 * Creates a series. The issue that the request names becomes the first issue of the series. Without such an issue, the
 * series has no issue yet (docs/contract/cron-and-inbox.md#123-the-next-issue).
 */
export const createRecurrence: Op<typeof contract, "store" | "ids"> = async (
  deps,
  who,
  { params, body },
) => {
  const actor = actorOf(who, body.actor);
  const timing = checkedTiming(body);
  const template = newTemplate(body.template);
  const uid = deps.ids.ulid();
  const write = async (tx: Tx): Promise<Output<typeof contract>> => {
    const project = await requireProject(tx, params.project_id);
    const { firstKey, keyAfter } = occurrences();
    const first = firstKey(timing);
    if (first === undefined) throw noDay();
    const initial =
      body.initial_issue_ref === undefined
        ? undefined
        : await requireAdoptable(tx, { ...params, ref: body.initial_issue_ref });
    if (initial !== undefined)
      await requireWritable(tx, initial, { actor, instanceUid: deps.store.instanceUid });
    const act = { actor, now: tx.now };
    const series = {
      uid,
      project_uid: project.uid,
      ...timing,
      ...template,
      next_occurrence_key: initial === undefined ? first : (keyAfter(timing, first) ?? null),
      initial: initial === undefined ? undefined : { uid: initial.uid, key: first },
    };
    await tx.append(recurrenceCreated(series, act));
    if (initial !== undefined) {
      const patch = { scheduled_on: first, timezone: timing.timezone };
      const event = decideMetadata(initial, patch, act);
      if (event !== "unchanged") await tx.append(event);
    }
    const recurrence = await tx.recurrences.find(uid);
    invariant(recurrence !== undefined, "a series is there once its creation is in the log");
    return { recurrence: recurrenceOut(recurrence, project) };
  };
  return await withOccurrences(async () => await deps.store.write(write));
};

/** Throws unless the issue can be the first of a series: closing it creates the second. */
async function requireAdoptable(
  tx: Tx,
  params: { readonly project_id: number; readonly ref: string },
): Promise<StoredIssue> {
  const { issue } = await requireIssue(tx, params);
  if (issue.recurrence_uid !== null)
    throw new SvcError(
      "conflict",
      { recurrence_uid: issue.recurrence_uid },
      { message: "the issue belongs to a series already" },
    );
  if (issue.status === "closed")
    throw new SvcError(
      "conflict",
      {},
      { message: "the issue is closed; a series begins with an open one" },
    );
  return issue;
}
