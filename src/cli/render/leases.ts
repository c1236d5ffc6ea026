import { instantToMs } from "../../base/clock.ts";
import type {
  acquireIssueLease,
  getIssueLeaseStatus,
  takeReadyIssue,
} from "../../contract/leases.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, type Fields, header } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";

type Status = Output<typeof getIssueLeaseStatus>;
type Lease = NonNullable<Status["lease"]>;
type Taken = Output<typeof takeReadyIssue>;

/** Describes a lease, for example `ann from instance 01J… (timed, 5m left), fence 3`. */
export function leaseText(lease: Lease, now: string | undefined): string {
  const { holder, holder_instance_uid, claim_kind, expires_at, fence } = lease;
  const left =
    expires_at === undefined || now === undefined
      ? claim_kind
      : `${claim_kind}, ${timeLeft(expires_at, now)} left`;
  return `${oneLine(holder)} from instance ${holder_instance_uid} (${left}), fence ${fence}`;
}

export function timeLeft(until: string, now: string): string {
  const seconds = Math.max(0, Math.ceil((instantToMs(until) - instantToMs(now)) / 1000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes}m` : `${Math.floor(minutes / 60)}h`;
}

export function leaseView(ref: string, verb: string): View<Output<typeof acquireIssueLease>> {
  return {
    human: ({ lease }, { paint }) => {
      if (lease === undefined) return "";
      const until = lease.expires_at === undefined ? "" : ` until ${oneLine(lease.expires_at)}`;
      const over = lease.released_at !== undefined;
      const end = over ? "" : `${until}, fence ${lease.fence}`;
      return `${paint("id", oneLine(ref))} lease ${verb}${end}`;
    },
    agent: ({ granted, lease }, quiet) =>
      agentOutput(header(`lease ${verb}`, { issue: ref, granted, ...fields(lease) }), [], quiet),
    refs: () => [ref],
  };
}

export function leaseStatusView(ref: string): View<Status> {
  return {
    human: ({ held, lease, hub_now, hub_asked }, { paint }) => {
      if (held && lease !== undefined)
        return `${paint("id", oneLine(ref))} lease: ${leaseText(lease, hub_now)}`;
      if (hub_asked === false)
        return `${paint("id", oneLine(ref))} lease: nobody here has it; whether somebody elsewhere has is unknown, since only the hub knows, and this daemon may not ask it`;
      const last = lease === undefined ? "" : ` (the last was fence ${lease.fence})`;
      return `${paint("id", oneLine(ref))} is free${last}`;
    },
    agent: ({ held, lease, hub_asked }) =>
      header("lease status", {
        issue: ref,
        held: held || hub_asked !== false ? held : "unknown",
        ...fields(lease),
      }),
    refs: () => [ref],
  };
}

function fields(lease: Lease | undefined): Fields {
  if (lease === undefined) return {};
  const { holder, claim_kind, fence, expires_at, release_reason } = lease;
  return { holder, kind: claim_kind, fence, expires_at, release_reason };
}

export function takenView(qualified: boolean): View<Taken> {
  const idOf = (issue: NonNullable<Taken["issue"]>) =>
    qualified ? issue.qualified_id : issue.short_id;
  return {
    human: ({ issue, lease, reused }, { paint }) => {
      if (issue === null) return "Nothing is left to take.";
      const still = reused === true ? "still " : "";
      const how =
        lease === undefined
          ? `${still}claimed by ${oneLine(issue.owner ?? "")}`
          : `${still}leased to ${oneLine(lease.holder)} until ${lease.expires_at ?? ""}, fence ${lease.fence}`;
      return `${paint("id", oneLine(idOf(issue)))} ${oneLine(issue.title)} (${how})`;
    },
    agent: ({ issue, lease, reused }) => {
      if (issue === null) return header("take", { found: false });
      const { owner, priority, title } = issue;
      const { fence, expires_at } = lease ?? {};
      const shown = { issue: idOf(issue), priority, owner, fence, expires_at, title, reused };
      return header("take", shown);
    },
    refs: ({ issue }) => (issue === null ? [] : [issue]),
  };
}
