import { SvcError } from "../../contract/errors.ts";
import type { deleteLink as contract } from "../../contract/links.ts";
import type { Act } from "../../domain/drafts/draft.ts";
import { issueUnlinked } from "../../domain/drafts/links.ts";
import { refOf } from "../../domain/links.ts";
import type { LinkRow } from "../../domain/state.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { peerOf, reload, requireIssue } from "../find.ts";
import { isFromHost } from "../issue-sync/from-host.ts";
import { belongsToPeer } from "../link-owners.ts";
import { writtenEventOut } from "../out/events.ts";
import { issueOut } from "../out/issues.ts";
import { warningsOf } from "../out/warnings.ts";

/**
 * Removes a link. If there is no such link, nothing happens. Throws if the link is between two other issues. Links to
 * hidden peers can be removed (docs/contract/http-api.md#44-links).
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
    const isHosts =
      link.type === "parent" &&
      outgoing &&
      (await isFromHost(tx, issue.uid, "parent", link.to_uid));
    const uid = outgoing ? link.to_uid : link.from_uid;
    const related = await tx.issues.find(uid);
    const event = await tx.append(
      await unlinkDraft(tx, { issue, link, uid, related }, { actor, now: tx.now }),
    );
    const after = await reload(tx, issue);
    const shown = await issueOut(tx, after);
    return {
      issue: shown,
      event: await writtenEventOut(tx, event, { project, issue: after, related }),
      changed: true,
      ...warningsOf(shown, [event], { parent: isHosts }),
    };
  });
};

interface RemovedLink {
  readonly issue: StoredIssue;
  readonly link: LinkRow;
  /** The issue at the other end, which may be missing. */
  readonly uid: string;
  readonly related: StoredIssue | undefined;
}

/** The event belongs to the issue that owns the link: the issue in the path or the other one (`ops/link-owners.ts`). */
async function unlinkDraft(tx: Tx, { issue, link, uid, related }: RemovedLink, act: Act) {
  const own = peerOf(issue);
  if (related === undefined) return issueUnlinked(own, link, { uid, ref: "" }, act);
  const peer = peerOf(related);
  const isPeers = await belongsToPeer(tx, link, own, peer);
  const [subject, other] = isPeers ? [peer, own] : [own, peer];
  const ref = refOf(subject.project_uid, other);
  return issueUnlinked(subject, link, { uid: other.uid, ref }, act);
}
