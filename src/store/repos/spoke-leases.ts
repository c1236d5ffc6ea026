import type { Connection } from "../connection.ts";
import { rowsWith, statement } from "../rows/statement.ts";
import type { Federation, PendingLease } from "../types/federation.ts";

/** What a spoke has stored about the leases that it has requested from its hubs. */
export function spokeLeases(
  connection: Connection,
): Pick<Federation, "pendingLeaseOf" | "pendingLeases" | "heldAtHub" | "ownClaimAfter"> {
  return {
    pendingLeaseOf: async (lease) => await openOf.one(connection, lease),
    pendingLeases: async (project_uid) => await unresolved.all(connection, { project_uid }),
    heldAtHub: async (project_uid, holder_instance_uid) =>
      (await mirrored.all(connection, { project_uid, holder_instance_uid })).filter(
        ({ released_at }) => released_at === null,
      ),
    ownClaimAfter: async (issue, instance, after) =>
      await ownClaim.one(connection, { issue, instance, after }),
  };
}

const openOf = statement(
  (db, p: Pick<PendingLease, "issue_uid" | "holder" | "holder_instance_uid" | "client_kind">) =>
    db
      .selectFrom("pending_lease")
      .selectAll()
      .where("issue_uid", "=", p.issue_uid)
      .where("holder_instance_uid", "=", p.holder_instance_uid)
      .where("holder", "=", p.holder)
      .where("client_kind", "=", p.client_kind)
      .where("rejected_at", "is", null)
      .where("resolved_at", "is", null),
);

const unresolved = statement((db, p: Pick<PendingLease, "project_uid">) =>
  db
    .selectFrom("pending_lease")
    .selectAll()
    .where("project_uid", "=", p.project_uid)
    .where("resolved_at", "is", null)
    .orderBy("requested_at")
    .orderBy("request_uid"),
);

const mirrored = rowsWith("mirrored_lease", ["project_uid", "holder_instance_uid"]);

const ownClaim = statement((db, p: { issue: string; instance: string; after: number }) =>
  db
    .selectFrom("event")
    .select(["id", "uid"])
    .where("issue_uid", "=", p.issue)
    .where("id", ">", p.after)
    .where("type", "=", "issue.assigned")
    .where("origin_instance_uid", "=", p.instance)
    .where("skipped_at", "is", null)
    .orderBy("id", "desc")
    .limit(1),
);
