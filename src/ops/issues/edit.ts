import { sha256Hex } from "../../base/hash.ts";
import { invalid, SvcError } from "../../contract/errors.ts";
import type { EventDraft, StoredEvent } from "../../contract/events.ts";
import type { editIssue as contract } from "../../contract/issues.ts";
import type { Input } from "../../contract/route.ts";
import type { Act } from "../../domain/drafts/draft.ts";
import { linksChanged } from "../../domain/drafts/links.ts";
import {
  checkRevision,
  decideFields,
  decideMetadata,
  decidePriority,
} from "../../domain/issues.ts";
import { type DecidedLinks, peersIn } from "../../domain/links.ts";
import { checkIssuePatch } from "../../domain/metadata.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { type FoundIssue, peerOf, reload, requireIssue } from "../find.ts";
import { ifMatchRevision } from "../guards.ts";
import { isFromHost } from "../issue-sync/from-host.ts";
import { borderWarnings } from "../link-borders.ts";
import { appendLinks } from "../link-owners.ts";
import { decideLinksDelta, isEmptyDelta } from "../links-delta.ts";
import { type eventOut, writtenEventOut } from "../out/events.ts";
import { issueOut } from "../out/issues.ts";
import { linkChangesOut } from "../out/links.ts";
import { warningsOf } from "../out/warnings.ts";

type Body = Input<typeof contract>["body"];

/**
 * Changes fields, priority, links and metadata in one transaction. Each of these four parts that changes gets its own
 * event. Links that belong to issues of other projects get events of these issues (`ops/link-owners.ts`).
 */
export const editIssue: Op<typeof contract> = async (deps, who, { params, headers, body }) => {
  const actor = actorOf(who, body.actor);
  const wanted = ifMatchRevision(headers["if-match"]);
  checkEdit(body);
  return await deps.store.write(async (tx) => {
    const { project, issue } = await requireIssue(tx, params);
    checkRevision("issue", issue.revision, wanted);
    checkBodyHash(issue, body.expected_body_hash);
    const act = { actor, now: tx.now };
    const { links_delta } = body;
    const links = links_delta && (await decideLinksDelta(tx, issue, links_delta));
    const isUnparented = links_delta?.remove_parent !== undefined;
    const parent = isUnparented ? await tx.links.parentOf(issue.uid) : undefined;
    const isHosts =
      parent !== undefined && (await isFromHost(tx, issue.uid, "parent", parent.to_uid));
    const linked = links === undefined || links === "unchanged" ? [] : peersIn(links.changes);
    const events: StoredEvent[] = [];
    for (const draft of draftsOf(issue, body, links, act)) {
      if (draft.type === "issue.links_changed")
        events.push(...(await appendLinks(tx, draft, peerOf(issue), linked)));
      else events.push(await tx.append(draft));
    }
    const after = events.length === 0 ? issue : await reload(tx, issue);
    const borders = await borderWarnings(tx, events, [peerOf(issue), ...linked]);
    const shown = await shownEvents(tx, events, { project, issue: after });
    const out = await issueOut(tx, after);
    return {
      issue: out,
      event: shown.at(-1) ?? null,
      events: shown,
      changed: events.length > 0,
      ...(links === undefined
        ? {}
        : { changes: links === "unchanged" ? {} : linkChangesOut(links.changes) }),
      ...warningsOf(out, events, { parent: isHosts }, borders),
    };
  });
};

async function shownEvents(tx: Tx, events: readonly StoredEvent[], place: FoundIssue) {
  const shown: ReturnType<typeof eventOut>[] = [];
  for (const event of events) shown.push(await writtenEventOut(tx, event, place));
  return shown;
}

/**
 * The events of an edit, in the order of the contract: fields, priority, links, metadata
 * (docs/contract/http-api.md#30-shared-objects, EditIssueResponse).
 */
function draftsOf(
  issue: StoredIssue,
  body: Body,
  links: DecidedLinks | "unchanged" | undefined,
  act: Act,
): readonly EventDraft[] {
  const priority = body.clear_priority === true ? null : body.set_priority;
  const fields = decideFields(issue, body, act);
  // A change of the owner increases the revision by one. So the metadata is decided for the issue with this higher
  // revision.
  const changesOwner = fields !== "unchanged" && fields.payload.owner !== undefined;
  const after = changesOwner ? { ...issue, revision: issue.revision + 1 } : issue;
  const decided: readonly (EventDraft | "unchanged")[] = [
    fields,
    priority === undefined ? "unchanged" : decidePriority(issue, priority, act),
    links === undefined || links === "unchanged"
      ? "unchanged"
      : linksChanged(issue, links.payload, act),
    body.metadata === undefined ? "unchanged" : decideMetadata(after, body.metadata, act),
  ];
  return decided.filter((draft) => draft !== "unchanged");
}

/**
 * Throws if the body has changed since the caller read it. The revision does not show this, because a change of the
 * body does not increase it.
 */
function checkBodyHash({ body }: StoredIssue, expected: string | undefined): void {
  if (expected === undefined) return;
  const body_hash = sha256Hex(body);
  if (body_hash !== expected) throw new SvcError("body_conflict", { body_hash });
}

function checkEdit(body: Body): void {
  const { title, body: text, owner, set_priority, clear_priority, links_delta, metadata } = body;
  if (metadata !== undefined) checkIssuePatch(metadata);
  if (set_priority !== undefined && clear_priority === true) {
    throw invalid("set_priority and clear_priority exclude each other");
  }
  const fields = [title, text, owner, set_priority, metadata].some((field) => field !== undefined);
  const links = links_delta !== undefined && !isEmptyDelta(links_delta);
  if (!fields && clear_priority !== true && !links) throw invalid("no fields to update");
}
