import { instantToMs } from "../../base/clock.ts";
import { invariant } from "../../base/invariant.ts";
import { invalidField, SvcError } from "../../contract/errors.ts";
import type { createIssue as contract } from "../../contract/issues.ts";
import type { Input } from "../../contract/route.ts";
import { issueCreated, type NewLink } from "../../domain/drafts/issues.ts";
import { checkLink, type LinkRequest, refOf } from "../../domain/links.ts";
import {
  isLookalike,
  LOOKALIKE_CANDIDATES,
  lookalikeScorer,
  mayLookAlike,
} from "../../domain/lookalike.ts";
import { checkNewMetadata } from "../../domain/metadata.ts";
import { qualifiedId } from "../../domain/refs.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { peerOfNewIssue, requirePeer, requireProject } from "../find.ts";
import { idempotencyKey } from "../guards.ts";
import { borderWarnings } from "../link-borders.ts";
import { creationDrafts } from "../link-owners.ts";
import { eventOut } from "../out/events.ts";
import { issueOut, newIssueOut } from "../out/issues.ts";
import { warningsOut } from "../out/warnings.ts";
import { freeShortId } from "../short-id.ts";
import { createMark, replayCreate } from "./replay-create.ts";

type Body = Input<typeof contract>["body"];

/**
 * Creates an issue. The contract sets the order of checks (docs/contract/http-api.md#17-idempotency-keys): fields,
 * repeated request, similar issues, links, write.
 */
export const createIssue: Op<typeof contract, "store" | "ids"> = async (
  deps,
  who,
  { params, headers, body },
) => {
  const actor = actorOf(who, body.actor);
  const key = idempotencyKey(headers["idempotency-key"]);
  const mark = key === undefined ? undefined : createMark(key, body);
  if (body.metadata !== undefined) checkNewMetadata(body.metadata);
  return await deps.store.write(async (tx) => {
    const project = await requireProject(tx, params.project_id);
    const replayed =
      mark === undefined ? undefined : await replayCreate(tx, project, mark, instantToMs(tx.now));
    if (replayed !== undefined) return replayed;
    if (body.force_new !== true) await refuseLookalikes(tx, project, body);
    const uid = deps.ids.ulid();
    const links = await resolveLinks(tx, project, uid, body.links ?? []);
    const { title, body: text, owner, priority, metadata, labels } = body;
    const short_id = await freeShortId(tx, project.uid, uid);
    const draft = issueCreated(
      {
        uid,
        title,
        body: text,
        author: actor,
        owner,
        priority,
        metadata,
        labels,
        mark,
        project_uid: project.uid,
        short_id,
        links: links.map((link) => linkOf(project, actor, link)),
      },
      { actor, now: tx.now },
    );
    const subject = peerOfNewIssue(project, uid, short_id);
    const peers = links.map(({ peer }) => peer);
    const [creation = draft, ...others] = await creationDrafts(tx, draft, subject, peers);
    const event = await tx.append(creation);
    const events = [event];
    for (const other of others) events.push(await tx.append(other));
    const issue = await tx.issues.find(uid);
    invariant(issue !== undefined, "an issue is there once its creation is in the log");
    return {
      issue:
        links.length === 0
          ? newIssueOut(issue, draft.payload.labels ?? [])
          : await issueOut(tx, issue),
      event: eventOut(event, project, { issue }),
      changed: true,
      ...warningsOut(await borderWarnings(tx, events, [subject, ...peers])),
    };
  });
};

function linkOf(
  project: StoredProject,
  author: string,
  { type, peer, incoming }: LinkRequest,
): NewLink {
  return {
    type,
    to_issue_uid: peer.uid,
    to_short_id: refOf(project.uid, peer),
    ...(incoming === true ? { incoming } : {}),
    author,
  };
}

/**
 * Resolves and checks the links of a new issue. The issue has no descendants yet, so no parent link can form a cycle.
 */
async function resolveLinks(
  reader: Reader,
  project: StoredProject,
  uid: string,
  links: NonNullable<Body["links"]>,
): Promise<readonly LinkRequest[]> {
  const requests = new Map<string, LinkRequest>();
  for (const { type, to_ref, incoming, to_project_uid } of links) {
    const peer = await requirePeer(reader, project.uid, to_ref, { pin: to_project_uid });
    const reversed = type === "blocks" && incoming === true;
    const request: LinkRequest = { type, peer, incoming: incoming === true };
    checkLink(uid, request, []);
    requests.set(`${type} ${reversed} ${peer.uid}`, { ...request, incoming: reversed });
  }
  const parents = [...requests.values()].filter(({ type }) => type === "parent");
  if (parents.length > 1) {
    throw invalidField("links", "an issue has one parent");
  }
  return [...requests.values()];
}

async function refuseLookalikes(
  tx: Tx,
  project: StoredProject,
  { title, body }: Body,
): Promise<void> {
  const text = { title, body: body ?? "" };
  if (!mayLookAlike(text)) return;
  const score = lookalikeScorer(text);
  const hits = await tx.search.similar(project.uid, text, LOOKALIKE_CANDIDATES);
  const candidates = hits
    .map((issue) => ({ issue, score: score(issue) }))
    .filter((candidate) => isLookalike(candidate.score))
    .sort((left, right) => right.score - left.score)
    .map(({ issue: { uid, short_id, title }, score }) => ({
      uid,
      short_id,
      qualified_id: qualifiedId(project.name, short_id),
      title,
      score,
    }));
  if (candidates.length > 0) throw new SvcError("duplicate_candidates", { candidates });
}
