import { SvcError } from "../../contract/errors.ts";
import type { deleteLink as contract } from "../../contract/links.ts";
import type { Input, Output } from "../../contract/route.ts";
import { refOf } from "../../domain/links.ts";
import { actorOf } from "../actor.ts";
import type { Deps, Principal } from "../deps.ts";
import { peerOf, requireIssue } from "../find.ts";
import { eventOut } from "../out/events.ts";
import { issueOut } from "../out/issues.ts";

/** A link that is gone is no error; one between other issues is. Hidden peers can be unlinked (facts http-api 4.4). */
export async function deleteLink(
  deps: Pick<Deps, "store">,
  who: Principal,
  { params, query }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const actor = actorOf(who, query.actor);
  return await deps.store.write(async (tx) => {
    const { project, issue } = await requireIssue(tx, params);
    const link = await tx.links.get(params.link_id);
    if (link === undefined) {
      return { issue: await issueOut(tx, issue), event: null, changed: false };
    }
    const outgoing = link.from_uid === issue.uid;
    if (!outgoing && link.to_uid !== issue.uid) {
      throw new SvcError("link_not_found", { link_id: params.link_id });
    }
    const related = await tx.issues.find(outgoing ? link.to_uid : link.from_uid);
    const relatedUid = outgoing ? link.to_uid : link.from_uid;
    const event = await tx.append({
      type: "issue.unlinked",
      actor,
      project_uid: project.uid,
      issue_uid: issue.uid,
      related_issue_uid: relatedUid,
      payload: {
        type: link.type,
        from_short_id: issue.short_id,
        from_uid: issue.uid,
        to_short_id: related === undefined ? "" : refOf(project.uid, peerOf(related)),
        to_uid: relatedUid,
        ...(outgoing ? {} : { incoming: true }),
        link_from_uid: link.from_uid,
        link_to_uid: link.to_uid,
        updated_at: tx.now,
      },
    });
    const { issue: after } = await requireIssue(tx, { project_id: project.id, ref: issue.uid });
    return {
      issue: await issueOut(tx, after),
      event: eventOut(event, project, { issue: after, related }),
      changed: true,
    };
  });
}
