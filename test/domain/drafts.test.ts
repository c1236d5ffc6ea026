import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EVENT_KINDS, type EventKind } from "../../src/contract/event-kinds.ts";
import type { EventDraft } from "../../src/contract/events.ts";
import * as bridges from "../../src/domain/drafts/bridges.ts";
import { definitionWritten, runObserved, type Verb } from "../../src/domain/drafts/cron.ts";
import { issueEventDraft, stated } from "../../src/domain/drafts/draft.ts";
import * as issues from "../../src/domain/drafts/issues.ts";
import * as leases from "../../src/domain/drafts/leases.ts";
import * as links from "../../src/domain/drafts/links.ts";
import * as projects from "../../src/domain/drafts/projects.ts";
import * as recurrences from "../../src/domain/drafts/recurrences.ts";
import * as snapshots from "../../src/domain/drafts/snapshots.ts";
import * as tokens from "../../src/domain/drafts/tokens.ts";

/** A new kind of event does not compile until it has a function that makes its events. */
const MAKERS = {
  "project.created": projects.projectCreated,
  "project.renamed": projects.projectRenamed,
  "project.alias_added": projects.aliasAdded,
  "project.alias_removed": projects.aliasRemoved,
  "project.removed": projects.projectRemoved,
  "project.restored": projects.projectRestored,
  "project.metadata_updated": projects.projectMetadataUpdated,
  "project.merged": projects.projectMerged,
  "project.author_rewritten": projects.authorRewritten,
  "project.federation_enabled": snapshots.federationEnabled,
  "issue.created": issues.issueCreated,
  "issue.snapshot": snapshots.issueSnapshot,
  "issue.updated": issues.issueUpdated,
  "issue.assigned": issues.issueAssigned,
  "issue.unassigned": issues.issueUnassigned,
  "issue.priority_set": issues.prioritySet,
  "issue.priority_cleared": issues.priorityCleared,
  "issue.labeled": issues.issueLabeled,
  "issue.unlabeled": issues.issueUnlabeled,
  "issue.linked": links.issueLinked,
  "issue.unlinked": links.issueUnlinked,
  "issue.links_changed": links.linksChanged,
  "issue.commented": issues.issueCommented,
  "issue.comment_edited": issues.commentEdited,
  "issue.closed": issues.issueClosed,
  "issue.reopened": issues.issueReopened,
  "issue.soft_deleted": issues.issueDeleted,
  "issue.restored": issues.issueRestored,
  "issue.metadata_updated": issues.issueMetadataUpdated,
  "issue.imported": issues.issueImported,
  "issue.moved": issues.issueMoved,
  "issue.external_root_bound": bridges.externalRootBound,
  "issue.external_root_paused": bridges.externalRootPaused,
  "issue.external_root_resumed": bridges.externalRootResumed,
  "issue.external_root_unbound": bridges.externalRootUnbound,
  "issue.external_comment_resolved": bridges.externalCommentResolved,
  "issue.external_field_conflicted": bridges.externalFieldConflicted,
  "issue.external_field_resolved": bridges.externalFieldResolved,
  "claim.acquired": leases.leaseAcquired,
  "claim.renewed": leases.leaseRenewed,
  "claim.released": leases.leaseReleased,
  "claim.expired": leases.leaseExpired,
  "claim.force_released": leases.leaseForceReleased,
  "claim.violated": leases.leaseViolated,
  "close.throttled": issues.closeThrottled,
  "recurrence.created": recurrences.recurrenceCreated,
  "recurrence.updated": recurrences.recurrenceUpdated,
  "recurrence.deleted": recurrences.recurrenceDeleted,
  "recurrence.materialized": recurrences.recurrenceMaterialized,
  "recurrence.materialization_skipped": recurrences.materializationSkipped,
  "cron.job.created": definitionWritten,
  "cron.job.updated": definitionWritten,
  "cron.job.deleted": definitionWritten,
  "cron.job.restored": definitionWritten,
  "cron.job.snapshot": snapshots.jobSnapshot,
  "cron.workflow.created": definitionWritten,
  "cron.workflow.updated": definitionWritten,
  "cron.workflow.deleted": definitionWritten,
  "cron.workflow.restored": definitionWritten,
  "cron.workflow.snapshot": snapshots.workflowSnapshot,
  "cron.run.observed": runObserved,
  "cron.run.snapshot": snapshots.runSnapshot,
  "token.created": tokens.tokenCreated,
  "token.revoked": tokens.tokenRevoked,
} satisfies { [K in EventKind]: Maker<K> };

/** All eight kinds of changes to definitions are made by one function. */
type Definition = `cron.${"job" | "workflow"}.${Verb}`;
type Maker<K extends EventKind> = (
  ...args: never[]
) => K extends Definition ? EventDraft<EventKind & Definition> : EventDraft<K>;

const SRC = join(import.meta.dirname, "..", "..", "src");

/**
 * Counts how often the source makes each kind with `issueEventDraft("kind"` or `projectEventDraft("kind"`, and lists the
 * places that write a draft by hand.
 */
function made() {
  const counts = new Map<string, number>();
  const byHand: string[] = [];
  for (const path of globSync("**/*.ts", { cwd: SRC })) {
    const text = readFileSync(join(SRC, path), "utf8");
    for (const [, kind = ""] of text.matchAll(/(?:issue|project)EventDraft\(\s*[`"]([^`"]+)[`"]/g))
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    for (const [, kind = ""] of text.matchAll(/\btype: "([a-z_]+\.[a-z_.]+)",/g))
      if (Object.hasOwn(EVENT_KINDS, kind)) byHand.push(`${path} makes ${kind}`);
  }
  return { counts, byHand };
}

test("each kind of event is created in exactly one function, in src/domain/drafts", () => {
  const { counts, byHand } = made();
  expect(byHand).toEqual([]);
  const plain = Object.keys(MAKERS).filter(
    (kind) => !/^cron\.(job|workflow)\.(?!snapshot)/.test(kind),
  );
  expect(Object.fromEntries(counts)).toEqual(
    Object.fromEntries([...plain, "cron.${kind}.${verb}"].map((kind) => [kind, 1])),
  );
});

const ACT = { actor: "ann", now: "2026-01-01T00:00:00.000Z" };

test("events of an undo name the events that they undo", () => {
  const undo = { batch_uid: "B", events: ["E"] };
  const place = { uid: "I", project_uid: "P" };
  expect(issues.issueReopened(place, { ...ACT, undo })).toEqual({
    type: "issue.reopened",
    actor: "ann",
    project_uid: "P",
    issue_uid: "I",
    payload: { reopened_at: ACT.now, updated_at: ACT.now, undo },
  });
  expect(
    issueEventDraft("issue.restored", place, ACT, { restored_at: "", updated_at: "" }).payload,
  ).toEqual({ restored_at: "", updated_at: "" });
});

test("a field without a value is left out of the event, but an empty one is kept", () => {
  expect(stated({ a: null, b: undefined, c: "", d: 0, e: false })).toEqual({
    c: "",
    d: 0,
    e: false,
  });
  const bare = { uid: "I", project_uid: "P", short_id: "abc4", title: "t", author: "ann" };
  const { payload } = issues.issueCreated({ ...bare, owner: null, labels: ["b", "a", "b"] }, ACT);
  expect(payload).toEqual({
    uid: "I",
    short_id: "abc4",
    title: "t",
    body: "",
    author: "ann",
    status: "open",
    metadata: {},
    labels: ["a", "b"],
    created_at: ACT.now,
  });
});
