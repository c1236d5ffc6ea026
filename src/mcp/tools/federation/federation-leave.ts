import { z } from "zod";
import { leaveFederationReplica } from "../../../contract/federation-replicas.ts";
import { requireConfirmation } from "../../confirmed.ts";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";

export const federationLeave = tool({
  name: "svc.federation_leave",
  title: "Leave federation",
  description:
    "Ends the copying of a project, in three calls: preflight, prepare, commit. Revoke the enrollment on the hub before commit.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({
    project: inputs.project,
    phase: z.enum(["preflight", "prepare", "commit"]).describe("preflight only checks"),
    disposition: z
      .enum(["detach", "archive"])
      .default("detach")
      .describe("what becomes of the copy here, default detach"),
    force: z.boolean().optional().describe("archive despite open issues"),
    confirm: z.string().optional().describe("for commit: COMMIT FEDERATION LEAVE <project>"),
  }),
  output: z.strictObject({
    project: ProjectIdentity,
    phase: z.string(),
    disposition: z.string(),
    detached: z.boolean(),
    archived: z.boolean().optional(),
    pending_enrollment: z.record(z.string(), z.unknown()).optional(),
  }),
  async run({ project, phase, disposition, force, confirm }, { scope, call, actor }) {
    if (disposition === "archive") scope.requireAll("svc.federation_leave with archive");
    const found = await scope.project(project);
    const params = { project_id: found.id };
    const body = {
      actor,
      disposition,
      ...(force === undefined ? {} : { force }),
      ...(phase === "commit" ? {} : { [phase]: true }),
    };
    if (phase === "commit") {
      // An enrollment that nobody revoked stays on the hub, and this server cannot ask the hub whether it was
      // revoked. With `force`, the project is archived although it has open issues. Both need a confirmation.
      const looked = await call(leaveFederationReplica, {
        params,
        body: { ...body, preflight: true },
      });
      if (looked.pending_enrollment !== undefined || force === true)
        requireConfirmation(confirm, `COMMIT FEDERATION LEAVE ${found.name}`);
    }
    const left = await call(leaveFederationReplica, { params, body });
    const { detached, archived, pending_enrollment } = left;
    return {
      project: { id: found.id, uid: found.uid, name: found.name },
      phase,
      disposition,
      detached,
      ...(archived === undefined ? {} : { archived }),
      ...(pending_enrollment === undefined ? {} : { pending_enrollment }),
    };
  },
});
