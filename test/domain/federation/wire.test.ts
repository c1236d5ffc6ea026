import { expect, test } from "vitest";
import { EVENT_KINDS, type EventKind } from "../../../src/contract/event-kinds.ts";
import { featuresNeeded, SENT_KINDS, wireOf } from "../../../src/domain/federation/wire.ts";
import { ORPHAN_EVENTS } from "../orphan-events.ts";

/** Every kind, and how it is sent to other daemons: the version of the wire format, a feature, or not at all. */
const SENT = {
  "project.created": "never",
  "project.renamed": "never",
  "project.alias_added": "never",
  "project.alias_removed": "never",
  "project.removed": "never",
  "project.restored": "never",
  "project.metadata_updated": "30",
  "project.merged": "never",
  "project.author_rewritten": "never",
  "project.federation_enabled": "30",
  "issue.created": "30",
  "issue.snapshot": "30",
  "issue.updated": "30",
  "issue.assigned": "30",
  "issue.unassigned": "30",
  "issue.priority_set": "30",
  "issue.priority_cleared": "30",
  "issue.labeled": "30",
  "issue.unlabeled": "30",
  "issue.linked": "30",
  "issue.unlinked": "30",
  "issue.links_changed": "30",
  "issue.commented": "30",
  "issue.comment_edited": "30",
  "issue.closed": "30",
  "issue.reopened": "30",
  "issue.soft_deleted": "30",
  "issue.restored": "30",
  "issue.metadata_updated": "30",
  "issue.imported": "never",
  "issue.moved": "never",
  "claim.acquired": "never",
  "claim.renewed": "never",
  "claim.released": "never",
  "claim.expired": "never",
  "claim.force_released": "never",
  "claim.violated": "never",
  "recurrence.created": "never",
  "recurrence.updated": "never",
  "recurrence.deleted": "never",
  "recurrence.materialized": "never",
  "recurrence.materialization_skipped": "never",
  "close.throttled": "never",
  "cron.job.created": "31 cron_v1",
  "cron.job.updated": "31 cron_v1",
  "cron.job.deleted": "31 cron_v1",
  "cron.job.restored": "31 cron_v1",
  "cron.job.snapshot": "31 cron_v1",
  "cron.workflow.created": "31 cron_v1",
  "cron.workflow.updated": "31 cron_v1",
  "cron.workflow.deleted": "31 cron_v1",
  "cron.workflow.restored": "31 cron_v1",
  "cron.workflow.snapshot": "31 cron_v1",
  "cron.run.observed": "31 cron_v1",
  "cron.run.snapshot": "31 cron_v1",
  "token.created": "never",
  "token.revoked": "never",
} as const satisfies Record<EventKind, string>;

test.each(Object.entries(SENT))(
  "events of kind %s are sent to other daemons as %s",
  (kind, sent) => {
    const wire = wireOf(kind as EventKind);
    const text = wire === undefined ? "never" : [wire.version, wire.feature ?? []].flat().join(" ");
    expect(text).toBe(sent);
  },
);

test("the kinds that are sent are those that the contract calls federated", () => {
  const kinds = Object.keys(EVENT_KINDS) as EventKind[];
  expect(kinds.filter((kind) => EVENT_KINDS[kind].federated).sort()).toEqual(SENT_KINDS.toSorted());
});

test("an event of an issue needs no feature, and one of a job that creates issues needs both", () => {
  expect(featuresNeeded(ORPHAN_EVENTS["issue.snapshot"])).toEqual([]);
  expect(featuresNeeded(ORPHAN_EVENTS["token.created"])).toEqual([]);
  const { type, payload } = ORPHAN_EVENTS["cron.job.snapshot"];
  expect(featuresNeeded({ type, payload })).toEqual(["cron_v1"]);
  const definition = {
    action: { kind: "notify" },
    issue: { kind: "per-run", parent_uid: "A" },
  };
  expect(featuresNeeded({ type, payload: { ...payload, definition } })).toEqual([
    "cron_notify_children_v1",
    "cron_v1",
  ]);
});
