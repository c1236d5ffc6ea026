import { SvcError } from "../../contract/errors.ts";
import type { moveIssue as contract } from "../../contract/removal.ts";
import { issueMoved } from "../../domain/drafts/issues.ts";
import { checkRevision } from "../../domain/issues.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import { requireNoNativeJob } from "../cron/pinned.ts";
import type { Op } from "../deps.ts";
import { reload, requireIssue } from "../find.ts";
import { requiredRevision } from "../guards.ts";
import { issueOut } from "../out/issues.ts";
import { isActive } from "../projects/names.ts";
import { shortIdIn } from "../short-id.ts";

/**
 * Moves an issue to another project. The issue keeps its uid, links, comments and history, and its short id if that is
 * free in the other project.
 */
export const moveIssue: Op<typeof contract> = async (deps, who, { params, headers, body }) => {
  const actor = actorOf(who, body.actor);
  const wanted = requiredRevision(headers["if-match"]);
  return await deps.store.write(async (tx) => {
    const { project, issue } = await requireIssue(tx, params);
    checkRevision("issue", issue.revision, wanted);
    const target = await requireTarget(tx, body.to_project_uid.toUpperCase());
    if (target.uid === project.uid) throw new SvcError("same_project", { project: project.name });
    if (issue.recurrence_uid !== null)
      throw new SvcError("recurrence_pinned", { recurrence_uid: issue.recurrence_uid });
    await requireNoNativeJob(tx, issue);
    const shortId = await shortIdIn(tx, target.uid, issue);
    const to = { project_uid: target.uid, short_id: shortId };
    const event = await tx.append(issueMoved(issue, to, { actor, now: tx.now }));
    return {
      issue: await issueOut(tx, await reload(tx, issue)),
      event_id: event.id,
      ...(shortId === issue.short_id ? {} : { new_short_id: shortId }),
      changed: true,
    };
  });
};

async function requireTarget(tx: Tx, uid: string): Promise<StoredProject> {
  const target = await tx.projects.find(uid);
  if (isActive(target)) return target;
  throw new SvcError("project_not_found", { project_uid: uid });
}
