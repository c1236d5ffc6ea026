import type { patchIssueMetadata as contract } from "../../contract/issues.ts";
import { checkRevision, decideMetadata } from "../../domain/issues.ts";
import { checkIssuePatch } from "../../domain/metadata.ts";
import { changeIssue } from "../change-issue.ts";
import type { Op } from "../deps.ts";
import { ifMatchRevision } from "../guards.ts";

export const patchIssueMetadata: Op<typeof contract> = async (
  deps,
  who,
  { params, headers, body },
) => {
  const wanted = ifMatchRevision(headers["if-match"]);
  checkIssuePatch(body.patch);
  return await changeIssue(deps, who, {
    params,
    actor: body.actor,
    decide: ({ issue }, act) => {
      checkRevision("issue", issue.revision, wanted);
      return decideMetadata(issue, body.patch, act);
    },
  });
};
