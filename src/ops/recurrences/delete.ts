import type { deleteRecurrence as contract } from "../../contract/recurrences.ts";
import { recurrenceDeleted } from "../../domain/drafts/recurrences.ts";
import { checkRevision } from "../../domain/issues.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { requiredRevision } from "../guards.ts";
import { requireRecurrence } from "./find.ts";

/** Deletes a series. Its issues stay, and closing them creates no further issues. */
export const deleteRecurrence: Op<typeof contract> = async (
  deps,
  who,
  { params, query, headers },
) => {
  const actor = actorOf(who, query.actor);
  const wanted = requiredRevision(headers["if-match"]);
  await deps.store.write(async (tx) => {
    const { recurrence } = await requireRecurrence(tx, params);
    checkRevision("recurrence", recurrence.revision, wanted);
    await tx.append(recurrenceDeleted(recurrence, { actor, now: tx.now }));
  });
  return {};
};
