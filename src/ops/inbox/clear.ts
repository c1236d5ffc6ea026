import type { clearIssueRequest as contract } from "../../contract/inbox.ts";
import { decideClear } from "../../domain/inbox/request.ts";
import { slotOf } from "../../domain/inbox/slot.ts";
import { checkRevision } from "../../domain/issues.ts";
import type { Op } from "../deps.ts";
import { ifMatchRevision } from "../guards.ts";
import { changeIssue } from "../issues/change.ts";
import { slotWriters } from "./writers.ts";

export const clearIssueRequest: Op<typeof contract> = async (
  deps,
  who,
  { params, headers, body },
) => {
  const wanted = ifMatchRevision(headers["if-match"]);
  const { to, event_uid: handled, actor } = body;
  return await changeIssue(deps, who, {
    params,
    actor,
    decide: async ({ issue }, act, tx) => {
      checkRevision("issue", issue.revision, wanted);
      const writers =
        handled === undefined ? undefined : await slotWriters(tx, [issue], slotOf(to));
      const written = writers?.get(issue.uid)?.uid;
      return decideClear(issue, to, { handled, written }, act);
    },
  });
};
