import { SvcError } from "../../contract/errors.ts";
import type { deleteLink as contract } from "../../contract/links.ts";
import { issueUnlinked } from "../../domain/drafts/links.ts";
import { refOf } from "../../domain/links.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { peerOf, reload, requireIssue } from "../find.ts";
import { eventOut } from "../out/events.ts";
import { issueOut } from "../out/issues.ts";
import { warningsOf } from "../out/warnings.ts";

/**
 * Removes a link. A missing link is no error, but naming a link between two other issues is an error. Links to hidden
 * peers can be removed (facts http-api 4.4).
 */
export const deleteLink: Op<typeof contract> = async (deps, who, { params, query }) => {
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
    const isParent = link.type === "parent" && outgoing;
    const uid = outgoing ? link.to_uid : link.from_uid;
    const related = await tx.issues.find(uid);
    const ref = related === undefined ? "" : refOf(project.uid, peerOf(related));
    const draft = issueUnlinked(issue, link, { uid, ref }, { actor, now: tx.now });
    const event = await tx.append(draft);
    const after = await reload(tx, issue);
    const shown = await issueOut(tx, after);
    return {
      issue: shown,
      event: eventOut(event, project, { issue: after, related }),
      changed: true,
      ...warningsOf(shown, [event], isParent ? { parent: link.author } : {}),
    };
  });
};
