import { z } from "zod";
import type { acquireIssueLease, getIssueLeaseStatus } from "../../../contract/leases.ts";
import type { Output } from "../../../contract/route.ts";
import type { FixedIssue } from "../../confirmed.ts";
import { EventSummary, ProjectIdentity } from "../../objects.ts";
import type { Scope } from "../../scope.ts";
import { eventOf, shortened, shortRef } from "../../views.ts";

export const LeaseOutput = z.strictObject({
  project: ProjectIdentity,
  ref: z.string(),
  held: z.boolean(),
  granted: z.boolean().optional(),
  holder: z.string().optional(),
  previous_holder: z.string().optional(),
  claim_kind: z.string().optional(),
  purpose: z.string().optional(),
  expires_at: z.string().optional(),
  revision: z.int().optional(),
  event: EventSummary.optional(),
});

/**
 * The answer to a request for a lease. `pending` is true if the hub of the copy gave no answer and will be asked again.
 */
export const AskedLeaseOutput = LeaseOutput.extend({ pending: z.boolean().optional() });

/** The kind of client that takes a lease by a tool (docs/contract/tools.md#84-leases). */
export const CLIENT_KIND = "mcp";

const PURPOSE_BYTES = 200;

type Status = Output<typeof getIssueLeaseStatus>;
type LeaseAnswer = Output<typeof acquireIssueLease>;

/**
 * Returns a lease in the form for clients, from the daemon's answer to a request that reads or changes the lease.
 * `held` says whether anybody holds the lease now; if not, holder, purpose and end are left out.
 */
export function leaseOf(
  { project, qualified_ref }: FixedIssue,
  answer: Partial<Omit<Status, "hub_now"> & LeaseAnswer>,
  scope: Scope,
  held: boolean,
): z.input<typeof AskedLeaseOutput> {
  const { lease, holder, granted, pending, event } = answer;
  const shown = held ? lease : undefined;
  return {
    project,
    ref: scope.isBound ? shortRef(qualified_ref) : qualified_ref,
    held,
    ...(granted === undefined ? {} : { granted }),
    ...(pending === undefined ? {} : { pending }),
    ...(held && holder !== undefined ? { holder: holder.holder } : {}),
    ...(shown === undefined
      ? {}
      : {
          claim_kind: shown.claim_kind,
          purpose: shortened(shown.purpose, PURPOSE_BYTES),
          revision: shown.revision,
          ...(shown.expires_at === undefined ? {} : { expires_at: shown.expires_at }),
        }),
    ...(event === undefined ? {} : { event: eventOf(event) }),
  };
}
