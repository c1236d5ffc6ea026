import { instant, integer, nullable, oneOf, text, uid } from "./columns.ts";
import { table } from "./table.ts";

/** The last lease of an issue; `released_at` tells whether it is over. */
export const lease = table({
  folded: true,
  numbered: true,
  key: ["issue_uid"],
  columns: {
    claim_uid: uid(),
    issue_uid: uid({
      reference: {
        to: "issue",
        id: "issue_id",
        uid: { field: "issue_uid", stands: "beside" },
        project: "project_id",
      },
    }),
    holder: text(),
    holder_instance_uid: uid(),
    client_kind: text(),
    purpose: text(),
    claim_kind: oneOf(["hard", "timed"]),
    // A file of another origin numbers no leases: then this is the first.
    fence: integer(1, { absent: 1 }),
    acquired_at: instant(),
    expires_at: nullable(instant()),
    released_at: nullable(instant()),
    release_reason: nullable(text()),
    revision: integer(1),
    updated_at: instant(),
  },
  belongs: { issue: ["issue_uid"] },
  record: { kind: "issue_claim" },
});
