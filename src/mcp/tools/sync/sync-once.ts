import { z } from "zod";
import { runIssueSyncOnce } from "../../../contract/issue-sync.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";
import { binding, bindingOf } from "./binding.ts";

export const syncOnce = tool({
  name: "svc.sync_once",
  title: "Sync now",
  description: "Reads what changed in the other tracker, now and once.",
  annotations: { ...CHANGES, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    project: inputs.ownProject,
    provider: z.literal("github").default("github").describe("the other tracker, default github"),
  }),
  output: z.strictObject({
    ...binding,
    import: z.record(z.string(), z.unknown()),
  }),
  async run({ project: named, provider }, { scope, call }) {
    const project = await scope.project(named);
    const params = { project_id: project.id, provider };
    const done = await call(runIssueSyncOnce, { params, body: {} });
    return { project, ...bindingOf(done), import: done.import };
  },
});
