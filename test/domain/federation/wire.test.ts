import { expect, test } from "vitest";
import { EVENT_KINDS, type EventKind } from "../../../src/contract/event-kinds.ts";
import {
  type EventFeature,
  featuresNeeded,
  SENT_KINDS,
  wireOf,
} from "../../../src/domain/federation/wire.ts";
import { ORPHAN_EVENTS } from "../orphan-events.ts";

/** Every kind, and how it is sent to other daemons: the version of the wire format and a feature, or why it never is. */
const SENT = {
  "project.created": "never: each daemon creates its own copy",
  "project.renamed": "never: a copy keeps the name that it has here",
  "project.alias_added": "never: folders are those of one machine",
  "project.alias_removed": "never: folders are those of one machine",
  "project.removed": "never: each daemon archives for itself",
  "project.restored": "never: each daemon archives for itself",
  "project.metadata_updated": "30",
  "project.merged": "never: refused in a federated project",
  "project.author_rewritten": "never: refused in a federated project",
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
  "issue.imported": "never: only the daemon that imports needs it; snapshots carry the mappings",
  "issue.external_root_bound": "31 external_roots_v1",
  "issue.external_root_paused": "31 external_roots_v1",
  "issue.external_root_resumed": "31 external_roots_v1",
  "issue.external_root_unbound": "31 external_roots_v1",
  "issue.external_comment_resolved": "31 external_roots_v1",
  "issue.external_field_conflicted": "31 external_roots_v1",
  "issue.external_field_resolved": "31 external_roots_v1",
  "issue.moved": "never: refused in a federated project",
  "claim.acquired": "never: the hub decides about leases",
  "claim.renewed": "never: the hub decides about leases",
  "claim.released": "never: the hub decides about leases",
  "claim.expired": "never: the hub decides about leases",
  "claim.force_released": "never: the hub decides about leases",
  "claim.violated": "never: the hub notes it for itself",
  "recurrence.created": "never: only the hub has series",
  "recurrence.updated": "never: only the hub has series",
  "recurrence.deleted": "never: only the hub has series",
  "recurrence.materialized": "never: only the hub has series",
  "recurrence.materialization_skipped": "never: only the hub has series",
  "close.throttled": "never: it changes nothing",
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
  "token.created": "never: tokens are those of one daemon",
  "token.revoked": "never: tokens are those of one daemon",
} as const satisfies Record<
  EventKind,
  `never: ${string}` | `${number}` | `${number} ${EventFeature}`
>;

test.each(Object.entries(SENT))(
  "events of kind %s are sent in this schema version, with this feature: %s",
  (kind, sent) => {
    const wire = wireOf(kind as EventKind);
    const text = wire === undefined ? "never" : [wire.version, wire.feature ?? []].flat().join(" ");
    expect(text).toBe(sent.replace(/:.+$/, ""));
  },
);

test("the kinds of events that are sent to other daemons are those that the contract marks as federated", () => {
  const kinds = Object.keys(EVENT_KINDS) as EventKind[];
  expect(kinds.filter((kind) => EVENT_KINDS[kind].federated).sort()).toEqual(SENT_KINDS.toSorted());
});

test("events of issues need no event feature, and those of a job that creates issues need both event features", () => {
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
