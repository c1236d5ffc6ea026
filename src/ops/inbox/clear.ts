import type { clearIssueRequest as contract } from "../../contract/inbox.ts";
import type { Input, Output } from "../../contract/route.ts";
import { decideClear } from "../../domain/inbox/request.ts";
import { slotOf } from "../../domain/inbox/slot.ts";
import { checkRevision } from "../../domain/issues.ts";
import type { Deps, Principal } from "../deps.ts";
import { ifMatchRevision } from "../guards.ts";
import { changeIssue } from "../issues/change.ts";
import { slotWriters } from "./writers.ts";

export async function clearIssueRequest(
  deps: Pick<Deps, "store">,
  who: Principal,
  { params, headers, body }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
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
}
