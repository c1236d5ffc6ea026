import { invariant } from "../../base/invariant.ts";
import type { addLabel as contract } from "../../contract/labels.ts";
import { issueLabeled } from "../../domain/drafts/issues.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { reload, requireIssue } from "../find.ts";
import { requireRoomForLabels } from "../guards.ts";
import { eventOut } from "../out/events.ts";
import { issueOut } from "../out/issues.ts";
import { labelOut } from "../out/labels.ts";

export const addLabel: Op<typeof contract> = async (deps, who, { params, body }) => {
  const actor = actorOf(who, body.actor);
  return await deps.store.write(async (tx) => {
    const { project, issue } = await requireIssue(tx, params);
    const carried = await tx.labels.of(issue.uid);
    const known = carried.find(({ label }) => label === body.label);
    if (known !== undefined) {
      const shown = await issueOut(tx, issue);
      return { issue: shown, label: labelOut(known, issue), event: null, changed: false };
    }
    requireRoomForLabels("label", carried.length + 1);
    const event = await tx.append(issueLabeled(issue, body.label, { actor, now: tx.now }));
    const after = await reload(tx, issue);
    const added = (await tx.labels.of(issue.uid)).find(({ label }) => label === body.label);
    invariant(added !== undefined, "a label is there once its event is in the log");
    return {
      issue: await issueOut(tx, after),
      label: labelOut(added, after),
      event: eventOut(event, project, { issue: after }),
      changed: true,
    };
  });
};
