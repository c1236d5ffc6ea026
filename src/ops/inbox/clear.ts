import type { clearIssueRequest as contract } from "../../contract/inbox.ts";
import { decideClear } from "../../domain/inbox/request.ts";
import { checkRevision } from "../../domain/issues.ts";
import { changeIssue } from "../change-issue.ts";
import type { Op } from "../deps.ts";
import { ifMatchRevision } from "../guards.ts";
import { requestOn } from "./askers.ts";

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
      if (handled === undefined) return decideClear(issue, to, {}, act);
      const { request, written } = await requestOn(tx, issue, to);
      return decideClear(issue, to, { handled, written: written?.uid, request }, act);
    },
  });
};
