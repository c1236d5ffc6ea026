import { z } from "zod";
import { Lease } from "./leases.ts";
import { MAX_OVERWRITTEN_SHOWN } from "./limits.ts";
import {
  Comment,
  EventEnvelope,
  IssueLabel,
  IssueOut,
  IssueReference,
  LinkOut,
  ShowIssueOut,
} from "./objects.ts";
import { component } from "./shape.ts";
import { AsOf, Count, Instant } from "./values.ts";

const CloseRecord = component("CloseRecord", () =>
  z.looseObject({
    event_id: Count().describe("the event that closed the issue"),
    actor: z.string(),
    reason: z.string(),
    message: z.string().optional(),
    evidence: z
      .array(z.looseObject({ type: z.string() }))
      .optional()
      .describe("each with its value, as in the request that closed the issue"),
  }),
);

export const ShowIssue = component("ShowIssue", () =>
  z.looseObject({
    issue: ShowIssueOut(),
    close: CloseRecord()
      .optional()
      .describe("how it was closed; absent if it is open, or came closed from another tracker"),
    comments: z.array(Comment()),
    links: z.array(LinkOut()),
    labels: z.array(IssueLabel()),
    parent: IssueReference().optional(),
    children: z.array(IssueOut()),
    lease: Lease().optional().describe("present while somebody holds a lease"),
    lease_hub_now: Instant()
      .optional()
      .describe("present with lease: the clock that decides when the lease expires"),
    hub_lease: z
      .looseObject({
        state: z.enum(["held", "unknown"]),
        holder: z.string().optional(),
        holder_instance_uid: z.string().optional(),
        claim_kind: z.string().optional(),
        expires_at: Instant().optional(),
        heard_at: Instant().optional().describe("when the hub said so"),
      })
      .optional()
      .describe(
        "for an open issue of a copy that is not leased here: what this daemon has heard of the hub's lease, which was not asked now",
      ),
    truncated: z
      .boolean()
      .optional()
      .describe(
        "true if max_bytes left comments, children or links out; then their counts are present",
      ),
    comment_count: Count()
      .optional()
      .describe("how many comments the issue has; present if not all of them are here"),
    older_comment_count: Count()
      .optional()
      .describe(
        "present if the request says which comments: how many are older than the first of these",
      ),
    child_count: Count().optional().describe("how many children the issue has"),
    link_count: Count().optional().describe("how many links the issue has"),
    requests: z
      .array(
        z.looseObject({
          to: z.string(),
          from: z
            .string()
            .describe("as in an inbox: who made the request, not who its metadata says"),
          teammate: z.string().optional(),
          message: z.string(),
        }),
      )
      .optional()
      .describe(
        "the first 100 attention requests on the issue; absent if it has none, and in the past",
      ),
    namesakes: z
      .array(z.looseObject({ qualified_id: z.string(), source: z.string() }))
      .optional()
      .describe("other issues that had the short id as their id in another tracker"),
    overwritten: z
      .array(EventEnvelope())
      .max(MAX_OVERWRITTEN_SHOWN)
      .optional()
      .describe(
        "the newest changes that lost a value to another daemon (`overwritten_by`), the oldest first; absent if there is none, and in the past",
      ),
    as_of: AsOf(),
  }),
);
