import { z } from "zod";
import { requireConfirmation } from "../../confirmed.ts";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";

export const federationLeave = tool({
  name: "svc.federation_leave",
  title: "Leave federation",
  description:
    "Takes a replica out of the federation, phase by phase. A commit that the hub has not confirmed needs the words.",
  hints: "-+++",
  input: z.strictObject({
    project: inputs.project,
    phase: z.enum(["preflight", "prepare", "commit"]).describe("which phase"),
    disposition: z.enum(["detach", "archive"]).default("detach").describe("default detach"),
    force: z.boolean().optional().describe("commit without the hub"),
    confirm: z.string().optional().describe("COMMIT FEDERATION LEAVE <project>"),
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
