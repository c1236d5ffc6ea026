import { expect, test } from "vitest";
import {
  createFederationReplica,
  leaveFederationReplica,
} from "../../../src/contract/federation-replicas.ts";
import { purgeProject, removeProject } from "../../../src/contract/project-actions.ts";
import * as FEDERATION from "../../../src/domain/tables/federation.ts";
import type { Rows } from "../../../src/domain/tables/tables.ts";
import { findReplica } from "../../../src/ops/federation/replica.ts";
import { resetReplica } from "../../../src/ops/federation/reset-replica.ts";
import { describeStore } from "../../support/store.ts";
import type { OpenStore, World } from "../../support/world.ts";
import { HUB_UID, JOIN, spoke } from "./replica-world.ts";

type Name = keyof typeof FEDERATION;

const NAMES = Object.keys(FEDERATION) as readonly Name[];
const [ID, AT] = ["01J000000000000000000000R1", "2026-01-01T00:00:00.000Z"];
const OWN = { project_uid: HUB_UID };
const LEASE = {
  ...{ ...OWN, issue_uid: ID, holder: "sam", holder_instance_uid: ID },
  ...{ client_kind: "", purpose: "", claim_kind: "hard" as const },
};

/** A row of the copy in each table; the binding is made by the join. */
const PLANTED: { readonly [T in Exclude<Name, "federation_binding">]: Rows[T] } = {
  federation_sync_status: {
    ...{ ...OWN, last_pull_started_at: AT, last_pull_success_at: AT, last_push_started_at: null },
    ...{ last_push_success_at: null, last_error_at: null, last_error: null, last_reset_at: null },
  },
  federation_quarantine: {
    ...{ id: 1, ...OWN, direction: "push", first_event_id: 1, last_event_id: 1 },
    ...{ event_uids: [ID], error: "validation", detail: null, created_at: AT },
    ...{ skipped_at: AT, skipped_by: "ann", skip_reason: "retry: now" },
  },
  federation_enrollment: {
    ...{ id: 1, token_hash: "0".repeat(64), spoke_instance_uid: ID, ...OWN },
    ...{ capabilities: ["pull"], bound_actor: "sam", allow_adoption_snapshot_authors: 0 },
    ...{ adoption_baseline_open: 0, adoption_baseline_next_source_event_id: null },
    ...{ adoption_baseline_end_source_event_id: null, made_with_token_uid: null },
    ...{ created_at: AT, updated_at: AT, revoked_at: AT },
  },
  federation_replica: {
    ...{ enrollment_id: 1, ...OWN, stamp: null, former_stamp: null, after_event_id: 0 },
    seen_at: AT,
  },
  federation_digest: {
    ...{ ...OWN, bound_at: AT, log_epoch: "e", from_event_id: 40, reset_after_event_id: 0 },
    ...{ through_event_id: 500, event_count: 300, hash_sum: "0".repeat(64), begun_at: AT },
    ...{ compared_at: AT, compared_through_event_id: 500, unequal_passes: 3, hub_fold_version: 1 },
  },
  pending_lease: {
    ...{ request_uid: ID, ...LEASE, ttl_seconds: null, requested_at: AT, last_attempt_at: null },
    ...{ last_error: null, rejected_at: null, resolved_at: AT },
  },
  mirrored_lease: {
    ...{ ...LEASE, claim_uid: ID, acquired_at: AT, expires_at: null, released_at: null },
    ...{ release_reason: null, revision: 1, updated_at: AT, heard_at: AT },
  },
  federation_leave: { ...OWN, actor: "ann", prepared_at: AT },
};

/** A copy with a row in each table of federation, except the mark of a leave. */
async function planted(open: OpenStore) {
  const { w } = await spoke(open);
  const { project } = await w.call(createFederationReplica, { body: JOIN });
  await w.store.write(async (tx) => {
    for (const [name, row] of Object.entries(PLANTED))
      if (name !== "federation_leave") await tx.unfolded.put(name as "pending_lease", row as never);
  });
  return { w, params: { project_id: project.id } };
}

async function tablesWithRows({ store }: Pick<World, "store">): Promise<readonly Name[]> {
  const filled: Name[] = [];
  for (const name of NAMES) {
    const rows = await store.read(async ({ unfolded }) => await unfolded.list(name, 10));
    if (rows.length > 0) filled.push(name);
  }
  return filled.sort();
}

const ALL = NAMES.filter((name) => name !== "federation_leave").sort();
/** What a hub permits outlasts a binding of this daemon. */
const OF_A_HUB: readonly Name[] = ["federation_enrollment", "federation_replica"];

type Copy = Awaited<ReturnType<typeof planted>>;

const leave = async ({ w, params }: Copy, body = {}) =>
  await w.call(leaveFederationReplica, { params, body });
const archive = async ({ w, params }: Copy) => await w.call(removeProject, { params, body: {} });

const CASES: readonly (readonly [string, (copy: Copy) => Promise<unknown>, readonly Name[]])[] = [
  ["a leave that is prepared", async (copy) => await leave(copy, { prepare: true }), NAMES],
  ["a leave", leave, OF_A_HUB],
  [
    "a leave that archives",
    async (copy) => await leave(copy, { disposition: "archive" }),
    OF_A_HUB,
  ],
  ["an archiving", archive, ALL],
  [
    "a join after a leave",
    async (copy) => {
      await leave(copy);
      await copy.w.call(createFederationReplica, { body: JOIN });
    },
    ["federation_binding", ...OF_A_HUB],
  ],
  [
    "a purge after a leave",
    async (copy) => {
      await leave(copy, { disposition: "archive" });
      const headers = { "x-svc-confirm": "PURGE shared" };
      await copy.w.call(purgeProject, { params: copy.params, headers });
    },
    [],
  ],
  [
    "a new beginning",
    async ({ w: { store, ...w } }) => {
      const replica = await store.read(async (reader) => await findReplica(reader, HUB_UID));
      if (replica === undefined) throw new Error("the project is a copy");
      const at = { replay_horizon_event_id: 60, baseline_through_event_id: 60, last_event_id: 60 };
      const reset = { replica, ...at, epoch: "e", forgets_stamp: false };
      const outcome = await resetReplica({ store, ...w }, reset);
      if (outcome !== "reset") throw new Error(`the copy was not cleared: ${outcome}`);
    },
    ALL.filter((name) => name !== "mirrored_lease"),
  ],
];

describeStore("the rows of a copy in the tables of federation", (open) => {
  test.each(CASES)("are kept or deleted as expected after %s", async (_what, happen, left) => {
    const copy = await planted(open);
    expect(await tablesWithRows(copy.w)).toEqual(ALL);
    await happen(copy);
    expect(await tablesWithRows(copy.w)).toEqual(left.toSorted());
  });
});
