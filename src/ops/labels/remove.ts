import type { removeLabel as contract } from "../../contract/labels.ts";
import { issueUnlabeled } from "../../domain/drafts/issues.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { requireIssue } from "../find.ts";
import { eventOut } from "../out/events.ts";
import { issueOut } from "../out/issues.ts";

/** Removes a label; a missing label is no error (facts http-api 3.5). */
export const removeLabel: Op<typeof contract> = async (deps, who, { params, query }) => {
  const actor = actorOf(who, query.actor);
  const label = params.label.toLowerCase();
  return await deps.store.write(async (tx) => {
    const { project, issue } = await requireIssue(tx, params);
    const carried = (await tx.labels.of(issue.uid)).some((row) => row.label === label);
    if (!carried) return { issue: await issueOut(tx, issue), event: null, changed: false };
    const event = await tx.append(issueUnlabeled(issue, label, { actor, now: tx.now }));
    const { issue: after } = await requireIssue(tx, { project_id: project.id, ref: issue.uid });
    return {
      issue: await issueOut(tx, after),
      event: eventOut(event, project, { issue: after }),
      changed: true,
    };
  });
};
