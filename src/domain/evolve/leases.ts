import type { StoredEvent } from "../../contract/events.ts";
import { EXPIRED } from "../leases.ts";
import type { LeaseRow } from "../state.ts";
import { type Evolver, markOf } from "./evolver.ts";

/**
 * Leases are folded from the log, so they survive a restart and a restore. There is one row for each issue that was
 * ever leased: its last lease.
 */
export const acquired: Evolver<"claim.acquired"> = {
  touches: ({ issue_uid = "" }) => ({ issues: [issue_uid], rows: { lease: [issue_uid] } }),
  evolve: (state, event) => {
    const { issue_uid = "", payload } = event;
    if (state.issue(issue_uid) === undefined) return [];
    const row: LeaseRow = {
      issue_uid,
      claim_uid: payload.claim_uid,
      fence: Math.max(payload.fence, state.row("lease", issue_uid)?.fence ?? 0),
      holder: payload.holder,
      holder_instance_uid: payload.holder_instance_uid,
      client_kind: payload.client_kind,
      purpose: payload.purpose,
      claim_kind: payload.claim_kind,
      acquired_at: payload.acquired_at,
      expires_at: payload.expires_at ?? null,
      released_at: null,
      release_reason: null,
      revision: 1,
      updated_at: payload.updated_at,
    };
    return [{ table: "lease", put: row }, ...markOf(event)];
  },
};

export const renewed = onLease<"claim.renewed">((lease, { payload }) => ({
  ...lease,
  expires_at: payload.expires_at ?? null,
  revision: lease.revision + 1,
  updated_at: payload.updated_at,
}));

export const released = onLease<"claim.released">((lease, { payload }) =>
  endedLease(lease, payload, payload.reason ?? "released"),
);

export const expired = onLease<"claim.expired">((lease, { payload }) =>
  endedLease(lease, payload, EXPIRED),
);

export const forceReleased = onLease<"claim.force_released">((lease, { payload }) =>
  endedLease(lease, payload, payload.reason ?? "force_released"),
);

function endedLease(
  lease: LeaseRow,
  {
    released_at,
    updated_at,
  }: { readonly released_at?: string | undefined; readonly updated_at: string },
  release_reason: string,
): LeaseRow {
  return {
    ...lease,
    released_at: released_at ?? updated_at,
    release_reason,
    revision: lease.revision + 1,
    updated_at,
  };
}

/** Events about an earlier lease are ignored. */
function onLease<
  K extends "claim.renewed" | "claim.released" | "claim.expired" | "claim.force_released",
>(change: (lease: LeaseRow, event: StoredEvent<K>) => LeaseRow): Evolver<K> {
  return {
    touches: ({ issue_uid = "" }) => ({ rows: { lease: [issue_uid] } }),
    evolve: (state, event) => {
      const lease = state.row("lease", event.issue_uid ?? "");
      if (lease === undefined || lease.claim_uid !== event.payload.claim_uid) return [];
      return [{ table: "lease", put: change(lease, event) }];
    },
  };
}
