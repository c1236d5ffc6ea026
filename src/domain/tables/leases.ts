import { instant, integer, nullable, oneOf, text, uid } from "./columns.ts";
import { table } from "./table.ts";

/** The last lease of an issue; `released_at` is null until the lease ends. */
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
    // In an export file that another program has written, a lease may have no fence; it then counts as the issue's
    // first.
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
