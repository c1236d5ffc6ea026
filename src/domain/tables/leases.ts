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
    // An export file of another program may contain a lease without a fence. The lease then gets the first fence, 1.
    fence: integer(1, { absent: 1 }),
    acquired_at: instant(),
    expires_at: nullable(instant()),
    released_at: nullable(instant()),
    release_reason: nullable(text()),
    revision: integer(1),
    updated_at: instant(),
  },
  belongs: { issue: ["issue_uid"] },
  undo: "facets",
  record: { kind: "issue_claim" },
});
