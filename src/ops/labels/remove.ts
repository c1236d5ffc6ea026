import type { removeLabel as contract } from "../../contract/labels.ts";
import { issueUnlabeled } from "../../domain/drafts/issues.ts";
import { changeIssue } from "../change-issue.ts";
import type { Op } from "../deps.ts";
import { isFromHost } from "../issue-sync/from-host.ts";

/** Removes a label; a missing label is no error (docs/contract/http-api.md#35-comments-labels-links). */
export const removeLabel: Op<typeof contract> = async (deps, who, { params, query }) => {
  const label = params.label.toLowerCase();
  let isHosts = false;
  return await changeIssue(deps, who, {
    params,
    actor: query.actor,
    decide: async ({ issue }, act, tx) => {
      const carried = (await tx.labels.of(issue.uid)).some((row) => row.label === label);
      if (!carried) return "unchanged";
      isHosts = await isFromHost(tx, issue.uid, `label.${label}`, true);
      return issueUnlabeled(issue, label, act);
    },
    removed: () => ({ label: isHosts }),
  });
};
