import type { Clock } from "../../src/base/clock.ts";
import { externalRootBound } from "../../src/domain/drafts/bridges.ts";
import type { BridgeRow, ExternalCommentRow, FieldMapping } from "../../src/store/types/bridges.ts";
import type { World } from "./world.ts";

type Given = Pick<World, "ids"> & { readonly clock: Pick<Clock, "now"> };

/** An enabled bridge of the issue without a run, which has seen nothing of its root yet. */
export function bridgeRow(
  { ids, clock }: Given,
  issue_uid: string,
  more: Partial<BridgeRow> = {},
): BridgeRow {
  const now = clock.now();
  return {
    uid: ids.ulid(),
    issue_uid,
    connector_instance: "notes",
    external_root_key: `root-of-${issue_uid}`,
    external_account_digest: "a".repeat(64),
    active: 1,
    enabled: 1,
    receive_comments: 1,
    publish_comments: 0,
    complete_external: 1,
    claim_token: null,
    claim_started_at: null,
    last_external_revision: null,
    last_external_digest: null,
    last_external_state: null,
    last_external_updated_at: null,
    last_attempt_at: null,
    last_success_at: null,
    last_error: null,
    last_error_at: null,
    consecutive_failures: 0,
    next_attempt_at: null,
    paused_reason: null,
    pending_comment_uid: null,
    pending_comment_started_at: null,
    requested_state: null,
    requested_revision: null,
    created_at: now,
    updated_at: now,
    unbound_at: null,
    ...more,
  };
}

export function mappingRow({ ids, clock }: Given, more: Partial<FieldMapping> = {}): FieldMapping {
  return {
    uid: ids.ulid(),
    connector_instance: "notes",
    svc_field: "deadline_on",
    external_field_id: "due",
    external_field_name: "Due",
    accepted_kinds: ["null", "date"],
    nullable: 1,
    writable: 1,
    schema_revision: "1",
    active: 1,
    created_at: clock.now(),
    updated_at: clock.now(),
    ...more,
  };
}

export function externalCommentRow(
  { clock }: Given,
  { uid: binding_uid, issue_uid }: BridgeRow,
  more: Partial<ExternalCommentRow>,
): ExternalCommentRow {
  return {
    binding_uid,
    issue_uid,
    side: "external",
    comment_id: "c1",
    state: "seen",
    other_id: null,
    revision: null,
    external_updated_at: null,
    body_digest: null,
    created_at: clock.now(),
    updated_at: clock.now(),
    ...more,
  };
}

/** Binds the issue with one write, as a bind does, and returns the stored bridge. */
export async function givenBridge(
  w: Given & Pick<World, "store">,
  issue: { readonly uid: string },
  more: Partial<BridgeRow> = {},
): Promise<BridgeRow> {
  const row = bridgeRow(w, issue.uid, more);
  await w.store.write(async (tx) => {
    const found = await tx.issues.find(issue.uid);
    if (found === undefined) throw new Error("there is no such issue");
    await tx.unfolded.put("external_root_binding", row);
    await tx.append(externalRootBound(found, row, { actor: "ann", now: tx.now }));
  });
  return row;
}
