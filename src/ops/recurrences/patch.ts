import { invariant } from "../../base/invariant.ts";
import type { patchRecurrence as contract } from "../../contract/recurrences.ts";
import type { Output } from "../../contract/route.ts";
import { recurrenceUpdated } from "../../domain/drafts/recurrences.ts";
import { checkRevision } from "../../domain/issues.ts";
import {
  changedTemplate,
  checkedTiming,
  noDay,
  seriesDiff,
  type Timing,
} from "../../domain/recurrences/definition.ts";
import type { StoredRecurrence } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { requiredRevision } from "../guards.ts";
import { recurrenceOut } from "../out/recurrences.ts";
import { requireRecurrence } from "./find.ts";
import { occurrences, withOccurrences } from "./occurrences.ts";

/** Changes the rule or the template; existing issues of the series do not change. */
export const patchRecurrence: Op<typeof contract> = async (
  deps,
  who,
  { params, headers, body },
) => {
  const actor = actorOf(who, body.actor);
  const wanted = requiredRevision(headers["if-match"]);
  const write = async (tx: Tx): Promise<Output<typeof contract>> => {
    const { project, recurrence } = await requireRecurrence(tx, params);
    checkRevision("recurrence", recurrence.revision, wanted);
    const timing = checkedTiming({
      rrule: body.rrule ?? recurrence.rrule,
      dtstart: body.dtstart ?? recurrence.dtstart,
      timezone: body.timezone ?? recurrence.timezone,
    });
    const next_occurrence_key = await nextKey(tx, recurrence, timing);
    const template = changedTemplate(recurrence, body.template ?? {});
    const diff = seriesDiff(recurrence, { ...timing, ...template, next_occurrence_key });
    if (diff === undefined)
      return { recurrence: recurrenceOut(recurrence, project), changed: false };
    await tx.append(recurrenceUpdated(recurrence, diff, { actor, now: tx.now }));
    const after = await tx.recurrences.find(recurrence.uid);
    invariant(after !== undefined, "a series stays while it is changed");
    return { recurrence: recurrenceOut(after, project), changed: true };
  };
  return await withOccurrences(async () => await deps.store.write(write));
};

/**
 * Returns the next day by the new rule, after the last day that has an issue
 * (docs/contract/cron-and-inbox.md#121-fields-and-writes).
 */
async function nextKey(
  tx: Tx,
  recurrence: StoredRecurrence,
  timing: Timing,
): Promise<string | null> {
  const { rrule, dtstart, timezone, next_occurrence_key } = recurrence;
  const same = timing.rrule === rrule && timing.dtstart === dtstart && timing.timezone === timezone;
  if (same) return next_occurrence_key;
  const { firstKey, keyAfter } = occurrences();
  const first = firstKey(timing);
  if (first === undefined) throw noDay();
  const last = await tx.recurrences.lastKey(recurrence);
  return last === undefined ? first : (keyAfter(timing, last) ?? null);
}
