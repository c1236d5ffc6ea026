import type { removeLabel as contract } from "../../contract/labels.ts";
import { issueUnlabeled } from "../../domain/drafts/issues.ts";
import { changeIssue } from "../change-issue.ts";
import type { Op } from "../deps.ts";

/** Removes a label; a missing label is no error (facts http-api 3.5). */
export const removeLabel: Op<typeof contract> = async (deps, who, { params, query }) => {
  const label = params.label.toLowerCase();
  let author: string | undefined;
  return await changeIssue(deps, who, {
    params,
    actor: query.actor,
    decide: async ({ issue }, act, tx) => {
      const carried = (await tx.labels.of(issue.uid)).find((row) => row.label === label);
      author = carried?.author;
      return carried === undefined ? "unchanged" : issueUnlabeled(issue, label, act);
    },
    removed: () => ({ label: author }),
  });
};
