import { SvcError } from "../../contract/errors.ts";
import type { acquireIssueLease } from "../../contract/leases.ts";
import type { Output } from "../../contract/route.ts";
import type { Replica } from "../federation/bound-replica.ts";

/** What a spoke asks its hub about the lease of an issue (docs/contract/federation.md#9-leases). */
export interface HubLeaseRequest {
  readonly action: "acquire" | "renew" | "release" | "status";
  readonly issue_uid: string;
  /** Fields of `ClaimActionBody`; not for `status`. */
  readonly body?: {
    readonly claim_uid: string;
    readonly claim_kind?: "hard" | "timed";
    readonly ttl_seconds?: number;
    readonly purpose?: string;
    readonly reason?: string;
    readonly fence?: number;
  };
}

/** The answer to an action has `granted`. The answer to a question about the lease has `held` instead. */
type LeaseAnswer = Partial<Output<typeof acquireIssueLease>> & { readonly held?: boolean };

/** A refusal has the HTTP status of the hub's answer, and the hub's error code if this daemon has the same code. */
export type HubLeaseAnswer =
  | { readonly outcome: "answered"; readonly answer: LeaseAnswer; readonly waited_ms: number }
  | { readonly outcome: "refused"; readonly status: number; readonly code: string | undefined };

export type AnsweredByHub = Extract<HubLeaseAnswer, { readonly outcome: "answered" }>;

/** Requests to hubs about leases, for operations on copies. The daemon implements them. */
export interface HubLeases {
  /** Whether the enrollment of this daemon permits leases. Returns true if there is no credential; then `ask` fails. */
  permits(project_uid: string): Promise<boolean>;
  /**
   * Sends the request to the hub once, since the hub may have carried it out although no answer came. Throws
   * `federation_offline` if no answer comes. `waited_ms` is the time since the request was sent, by a monotonic clock.
   */
  ask(replica: Replica, request: HubLeaseRequest, maxMs?: number): Promise<HubLeaseAnswer>;
  /**
   * Sends the events of the project. Returns true if the hub accepts all of them up to `event_id` within some seconds.
   */
  sent(project_uid: string, event_id: number): Promise<boolean>;
}

/** The refusal of the hub, as the caller of this daemon sees it. */
export function refusedByHub({
  status,
  code,
}: Extract<HubLeaseAnswer, { readonly outcome: "refused" }>): SvcError {
  const reason = code ?? `status ${status}`;
  return new SvcError(
    "hub_claim_failed",
    { reason },
    { status, message: `the hub of the project refused the lease (${reason})` },
  );
}
