import { z } from "zod";
import { getIssueSyncStatus } from "../../../contract/issue-sync.ts";
import * as inputs from "../../inputs.ts";
import { READS, tool } from "../../tool.ts";
import { binding, bindingOf } from "./binding.ts";

export const syncStatus = tool({
  name: "svc.sync_status",
  title: "Sync status",
  description: "Whether and how a project is kept in step with another tracker (sync).",
  annotations: { ...READS, openWorldHint: true },
  input: z.strictObject({
    project: inputs.ownProject,
    provider: z.literal("github").default("github").describe("the other tracker, default github"),
  }),
  output: z.strictObject({
    ...binding,
  }),
  async run({ project: named, provider }, { scope, call }) {
    const project = await scope.project(named);
    const params = { project_id: project.id, provider };
    return { project, ...bindingOf(await call(getIssueSyncStatus, { params })) };
  },
});
