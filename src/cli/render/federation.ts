import { counted } from "../../base/counted.ts";
import type {
  createFederationEnrollment,
  enableProjectFederation,
  listFederationEnrollments,
  revokeFederationEnrollment,
} from "../../contract/federation.ts";
import type { getFederationStatus } from "../../contract/federation-status.ts";
import type { instance } from "../../contract/health.ts";
import type { Output } from "../../contract/route.ts";
import { capabilityFlag } from "../../domain/federation/capabilities.ts";
import { UNEQUAL_PASSES } from "../../domain/federation/digest.ts";
import { agentOutput, header, line, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { shortTime } from "./show.ts";
import { aligned } from "./table.ts";

type Enrollment = Output<typeof listFederationEnrollments>["enrollments"][number];
type Status = Output<typeof getFederationStatus>["statuses"][number];

export const identityView: View<Output<typeof instance>> = {
  human: ({ instance_uid }) => instance_uid,
  agent: ({ instance_uid }, quiet) =>
    agentOutput(header("federation_identity", { instance_uid }), [], quiet),
};

const READ_BY_OTHERS =
  "Daemons that are enrolled read all that the project holds now, and what follows. What they have read cannot be called back.";

export const federationEnabledView: View<Output<typeof enableProjectFederation>> = {
  human: ({ project_name, replay_horizon_event_id, baseline_through_event_id }, { quiet }) => {
    if (quiet) return "";
    const events = counted(baseline_through_event_id - replay_horizon_event_id + 1, "event");
    return `this daemon is the hub of ${oneLine(project_name)}: its baseline has ${events}\n${READ_BY_OTHERS}`;
  },
  agent: (enabled, quiet) => {
    const { project_name, replay_horizon_event_id, baseline_through_event_id } = enabled;
    const fields = { horizon: replay_horizon_event_id, through: baseline_through_event_id };
    const head = header("federation_enabled", { project: project_name, ...fields });
    return agentOutput(head, line("Leaves", READ_BY_OTHERS), quiet);
  },
};

/** The only view that prints the token of an enrollment. `joining` is the command for the other machine. */
export const enrolledView = (joining: string): View<Output<typeof createFederationEnrollment>> => ({
  human: ({ token, ...made }, { quiet }) => {
    if (quiet) return oneLine(token);
    const for_ = `${made.spoke_instance_uid} as ${oneLine(made.actor)}`;
    return [
      `enrollment ${made.id} of ${for_}, project ${projectOf(made)}: ${permitted(made).join(", ")}`,
      `token=${oneLine(token)}`,
      "on the other machine, paste the token when it is asked for:",
      `  ${joining}`,
    ].join("\n");
  },
  agent: ({ token, ...made }, quiet) => {
    const lines = [...line("Token", token), ...line("Join", joining)];
    return agentOutput(header("federation_enrolled", fieldsOf(made)), lines, quiet);
  },
});

export const enrollmentListView: View<Output<typeof listFederationEnrollments>> = {
  human: ({ enrollments }, { quiet }) => {
    if (quiet) return enrollments.map(({ id }) => id).join("\n");
    if (enrollments.length === 0) return "No enrollments. svc federation enroll makes one.";
    return aligned([HEADINGS, ...enrollments.map(cells)], (column) => column === 0)
      .map((text) => text.trimEnd())
      .join("\n");
  },
  agent: ({ enrollments }, quiet) => {
    const rows = enrollments.map((one) => row(fieldsOf(one)));
    return agentOutput(header("enrollments", { count: enrollments.length }), rows, quiet);
  },
};

const HEADINGS = ["ID", "INSTANCE", "PROJECT", "ACTOR", "MAY", "CREATED", "LAST USED", "REVOKED"];

function cells(enrollment: Enrollment): readonly string[] {
  const { id, spoke_instance_uid, actor, created_at } = enrollment;
  const times = [created_at, enrollment.last_used_at, enrollment.revoked_at];
  return [
    ...[String(id), spoke_instance_uid, projectOf(enrollment), oneLine(actor)],
    permitted(enrollment).join(","),
    ...times.map((time) => (time === undefined ? "-" : shortTime(time))),
  ];
}

/**
 * The capabilities of the enrollment as `--capabilities` spells them, and `adopt-existing` if the enrollment permits
 * it.
 */
function permitted({
  capabilities,
  allow_adoption_snapshot_authors: adopts,
}: Pick<Enrollment, "capabilities" | "allow_adoption_snapshot_authors">): readonly string[] {
  return [...capabilityFlag(capabilities).split(","), ...(adopts ? ["adopt-existing"] : [])];
}

function projectOf({ project_id }: Pick<Enrollment, "project_id">): string {
  return project_id === null ? "all" : String(project_id);
}

function fieldsOf(enrollment: Enrollment) {
  const { id, spoke_instance_uid, actor, capabilities, created_at } = enrollment;
  return {
    id,
    instance: spoke_instance_uid,
    project_id: projectOf(enrollment),
    actor,
    capabilities: capabilityFlag(capabilities),
    adopts: enrollment.allow_adoption_snapshot_authors ? true : undefined,
    created: created_at,
    used: enrollment.last_used_at,
    revoked: enrollment.revoked_at,
  };
}

export const enrollmentRevokedView: View<Output<typeof revokeFederationEnrollment>> = {
  human: ({ id }, { quiet }) => (quiet ? "" : `enrollment ${id} is revoked`),
  agent: ({ id, revoked }, quiet) =>
    agentOutput(header("enrollment_revoked", { id, revoked }), [], quiet),
};

export const federationStatusView: View<Output<typeof getFederationStatus>> = {
  human: ({ statuses }, { quiet }) => {
    if (quiet) return statuses.map(({ project_name }) => oneLine(project_name)).join("\n");
    return statuses.length === 0 ? "no federation bindings" : statuses.map(statusText).join("\n");
  },
  agent: ({ statuses }, quiet) => {
    const rows = statuses.map((status) =>
      row({
        project: status.project_name,
        role: status.role,
        enabled: status.enabled,
        reason: status.disabled_reason,
        archived: status.archived ? true : undefined,
        hub: status.hub_url,
        hub_project_id: status.hub_project_id,
        cursor: status.role === "spoke" ? status.pull_cursor_event_id : undefined,
        unsent: status.push_enabled ? status.pending_push_count : undefined,
        blocked: status.reset_blocker,
        synced: status.last_sync_at,
        error: status.last_error,
        quarantine: quarantinesOf(status).map(({ id }) => String(id)),
        compared: comparedOf(status),
        token: status.credential_status,
        leaving: status.leaving,
        horizon: status.replay_horizon_event_id,
        enrollments: status.enrollment_count,
        leases: status.live_claim_count,
      }),
    );
    return agentOutput(header("federation_status", { count: statuses.length }), rows, quiet);
  },
};

function statusText(status: Status): string {
  const state = status.enabled ? "enabled" : `disabled (${status.disabled_reason ?? "by hand"})`;
  if (status.role === "spoke") return copyText(status, state);
  const parts = [
    `${oneLine(status.project_name)}  ${status.role}, ${state}`,
    counted(status.enrollment_count, "enrollment"),
    ...(status.live_claim_count === 0 ? [] : [counted(status.live_claim_count, "lease")]),
    ...(status.archived ? ["archived"] : []),
  ];
  return parts.join(", ");
}

function quarantinesOf({ active_quarantines = [] }: Status) {
  return active_quarantines;
}

/**
 * Returns the state of the last comparison of a copy with its hub; undefined without a comparison. A difference counts
 * as `unsure` until several comparisons in a row have found a difference.
 */
function comparedOf({ comparison }: Status): string | undefined {
  if (comparison?.state !== "different") return comparison?.state;
  return (comparison.unequal_passes ?? 0) < UNEQUAL_PASSES ? "unsure" : "different";
}

/** Describes a copy: its hub, how far it has read, whether its changes were sent, and what is wrong with it. */
function copyText(status: Status, state: string): string {
  const { hub_url = "", hub_project_id, last_sync_at, last_error, credential_status } = status;
  const parts = [
    `${oneLine(status.project_name)}  copy of project ${hub_project_id} of ${oneLine(hub_url)}, ${state}`,
    `read to event ${status.pull_cursor_event_id}`,
    ...(status.push_enabled ? [sentText(status)] : ["only reads"]),
    last_sync_at === undefined ? "not read yet" : `last read ${shortTime(last_sync_at)}`,
    ...(last_error === undefined ? [] : [`error ${oneLine(last_error)}`]),
    ...quarantinesOf(status).map(
      ({ id, error }) => `batch ${id} is in quarantine (${oneLine(error)})`,
    ),
    ...(comparedOf(status) === "different" ? ["differs from its hub: svc federation verify"] : []),
    ...(credential_status === "present" ? [] : [`token ${credential_status}`]),
    ...(status.leaving === true ? ["leaving"] : []),
    ...(status.archived ? ["archived"] : []),
  ];
  return parts.join(", ");
}

/** Says how many changes of a writable copy the hub has not received yet. */
function sentText({ pending_push_count: unsent, reset_blocker }: Status): string {
  if (reset_blocker === "quarantine") return `${counted(unsent, "change")} not sent (quarantine)`;
  return unsent === 0 ? "all changes sent" : `${counted(unsent, "change")} not sent yet`;
}
