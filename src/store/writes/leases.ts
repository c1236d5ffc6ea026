import type { LeaseRow } from "../../domain/state.ts";
import type { Connection } from "../connection.ts";
import { nextId } from "../migrate.ts";
import { statement } from "../statement.ts";

export async function putLease(connection: Connection, row: LeaseRow): Promise<void> {
  if ((await updateLease.run(connection, row)) === 0) await insertLease.run(connection, row);
}

const insertLease = statement((db, p: LeaseRow) =>
  db.insertInto("lease").values({
    id: nextId("lease"),
    issue_uid: p.issue_uid,
    ...leaseValues(p),
  }),
);

const updateLease = statement((db, p: LeaseRow) =>
  db.updateTable("lease").set(leaseValues(p)).where("issue_uid", "=", p.issue_uid),
);

function leaseValues(p: LeaseRow) {
  return {
    claim_uid: p.claim_uid,
    fence: p.fence,
    holder: p.holder,
    holder_instance_uid: p.holder_instance_uid,
    client_kind: p.client_kind,
    purpose: p.purpose,
    claim_kind: p.claim_kind,
    acquired_at: p.acquired_at,
    expires_at: p.expires_at,
    released_at: p.released_at,
    release_reason: p.release_reason,
    revision: p.revision,
    updated_at: p.updated_at,
  };
}
