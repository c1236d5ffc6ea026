import { z } from "zod";
import { requireConfirmation } from "../../confirmed.ts";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";

export const federationLeave = tool({
  name: "svc.federation_leave",
  title: "Leave federation",
  description:
    "Ends the copying of a project, in three calls: preflight, prepare, commit. A commit without the hub's agreement needs force and confirm.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({
    project: inputs.project,
    phase: z.enum(["preflight", "prepare", "commit"]).describe("preflight only checks"),
    disposition: z
      .enum(["detach", "archive"])
      .default("detach")
      .describe("what becomes of the copy here, default detach"),
    force: z.boolean().optional().describe("commit although the hub has not agreed"),
    confirm: z.string().optional().describe("exactly COMMIT FEDERATION LEAVE <project>"),
  }),
  output: z.strictObject({
    project: ProjectIdentity,
    phase: z.string(),
    disposition: z.string(),
    detached: z.boolean(),
    archived: z.boolean().optional(),
    pending_enrollment: z.boolean().optional(),
  }),
  async run({ project, phase, disposition, force, confirm }, { scope }) {
    if (disposition === "archive") scope.requireAll("svc.federation_leave with archive");
    const { name } = await scope.project(project);
    if (phase === "commit" && force === true)
      requireConfirmation(confirm, `COMMIT FEDERATION LEAVE ${name}`);
    notAvailable("svc.federation_leave");
  },
});
