import { invariant } from "../../base/invariant.ts";
import { SvcError } from "../../contract/errors.ts";
import type { StoredEvent } from "../../contract/events.ts";
import type { createLink as contract } from "../../contract/links.ts";
import { issueLinked } from "../../domain/drafts/links.ts";
import { checkLink, endsOf, type LinkRequest, refOf } from "../../domain/links.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { type FoundIssue, peerOf, reload, requireIssue, requirePeer } from "../find.ts";
import { borderWarnings } from "../link-borders.ts";
import { belongsToPeer } from "../link-owners.ts";
import { writtenEventOut } from "../out/events.ts";
import { issueOut } from "../out/issues.ts";
import { linkOut } from "../out/links.ts";
import { warningsOut } from "../out/warnings.ts";

/**
 * Links an issue to another (docs/contract/http-api.md#35-comments-labels-links and
 * docs/contract/http-api.md#44-links). The event belongs to the issue that owns the link: the issue in the path or the
 * other one (`ops/link-owners.ts`).
 */
export const createLink: Op<typeof contract> = async (deps, who, { params, body }) => {
  const actor = actorOf(who, body.actor);
  return await deps.store.write(async (tx) => {
    const found = await requireIssue(tx, params);
    const peer = await requirePeer(tx, found.issue.project_uid, body.to_ref);
    const request: LinkRequest = { type: body.type, peer };
    if ((await linkOf(tx, found.issue, request)) !== undefined)
      return await answerOf(tx, found, request);
    const ancestors = body.type === "parent" ? await tx.links.ancestors(peer.uid) : [];
    checkLink(found.issue.uid, request, ancestors);
    if (body.type === "parent" && body.replace !== true) await refuseSecondParent(tx, found.issue);
    const own = peerOf(found.issue);
    const isPeers = await belongsToPeer(tx, endsOf(own.uid, request), own, peer);
    const [subject, other] = isPeers ? [peer, own] : [own, peer];
    const to = { uid: other.uid, ref: refOf(subject.project_uid, other) };
    const draft = issueLinked(subject, body.type, to, { actor, now: tx.now });
    return await answerOf(tx, found, request, await tx.append(draft));
  });
};

async function refuseSecondParent(reader: Reader, issue: StoredIssue): Promise<void> {
  const link = await reader.links.parentOf(issue.uid);
  if (link === undefined) return;
  const parent = await reader.issues.find(link.to_uid);
  const named = parent === undefined ? {} : { parent: refOf(issue.project_uid, peerOf(parent)) };
  throw new SvcError("parent_already_set", named);
}

async function linkOf(reader: Reader, issue: StoredIssue, request: LinkRequest) {
  const { from_uid, to_uid, type } = endsOf(issue.uid, request);
  return await reader.links.find(from_uid, to_uid, type);
}

async function answerOf(
  reader: Reader,
  before: FoundIssue,
  request: LinkRequest,
  event?: StoredEvent,
) {
  const issue = event === undefined ? before.issue : await reload(reader, before.issue);
  const link = await linkOf(reader, issue, request);
  const related = await reader.issues.find(request.peer.uid);
  invariant(link !== undefined && related !== undefined, "a stored link has both its ends");
  const reversed = link.from_uid !== issue.uid;
  return {
    issue: await issueOut(reader, issue),
    link: reversed ? linkOut(link, related, issue) : linkOut(link, issue, related),
    event:
      event === undefined
        ? null
        : await writtenEventOut(reader, event, { ...before, issue, related }),
    changed: event !== undefined,
    ...warningsOut(await warningsFor(reader, issue, request, event)),
  };
}

async function warningsFor(
  reader: Reader,
  issue: StoredIssue,
  { peer }: LinkRequest,
  event: StoredEvent | undefined,
) {
  return event === undefined ? [] : await borderWarnings(reader, [event], [peerOf(issue), peer]);
}
