import { z } from "zod";
import { listFederationEnrollments } from "../../../contract/federation.ts";
import { getFederationStatus } from "../../../contract/federation-status.ts";
import type { Output } from "../../../contract/route.ts";
import { READS, tool } from "../../tool.ts";
import { HIDDEN_ERROR, isOneOf } from "./reach.ts";

export const federationStatus = tool({
  name: "svc.federation_status",
  title: "Federation status",
  description:
    "The copies of projects that several daemons keep in step (replicas), and the permissions to copy (enrollments), without secrets.",
  annotations: { ...READS, openWorldHint: true },
  input: z.strictObject({}),
  output: z.strictObject({
    statuses: z.array(z.record(z.string(), z.unknown())),
    enrollments: z.array(
      z.strictObject({
        id: z.int(),
        project_id: z.int().optional(),
        spoke_instance_uid: z.string(),
        capabilities: z.array(z.string()),
        actor: z.string(),
        revoked: z.boolean(),
      }),
    ),
  }),
  async run(_input, { scope, call }) {
    const { reach } = scope;
    const all = (await call(getFederationStatus, { query: { include: "archived" } })).statuses;
    const statuses = all.filter(({ project_uid }) => isOneOf(reach, project_uid));
    const reached = new Set(statuses.map(({ project_id }) => project_id));
    const { enrollments } = await call(listFederationEnrollments, {});
    return {
      statuses: statuses
        .filter(({ archived }) => !archived)
        .map((status) => (scope.isLimited ? withoutErrors(status) : status)),
      enrollments: enrollments
        .filter(({ project_id }) =>
          project_id === null ? reach.kind === "all" : reached.has(project_id),
        )
        .map(({ id, project_id, spoke_instance_uid, capabilities, actor, revoked_at }) => ({
          id,
          ...(project_id === null ? {} : { project_id }),
          spoke_instance_uid,
          capabilities,
          actor,
          revoked: revoked_at !== undefined,
        })),
    };
  },
});

type Status = Output<typeof getFederationStatus>["statuses"][number];

function withoutErrors(status: Status): Status {
  const { last_error, active_quarantines } = status;
  return {
    ...status,
    ...(last_error === undefined ? {} : { last_error: HIDDEN_ERROR }),
    ...(active_quarantines === undefined
      ? {}
      : { active_quarantines: active_quarantines.map((one) => ({ ...one, error: HIDDEN_ERROR })) }),
  };
}
