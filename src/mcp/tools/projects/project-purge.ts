import { z } from "zod";
import { purgeProject } from "../../../contract/project-actions.ts";
import { requireConfirmation } from "../../confirmed.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";
import { namedProject } from "./find-project.ts";

export const projectPurge = tool({
  name: "svc.project_purge",
  title: "Purge project",
  description:
    "Erases an archived project and its history; nothing brings it back. Needs a server with --all-projects.",
  annotations: CHANGES,
  input: z.strictObject({
    project: inputs.project,
    confirm: z.string().describe("exactly PURGE <project>"),
    reason: inputs.reason.optional(),
  }),
  output: z.strictObject({
    project: z.string(),
    purged: z.boolean(),
    log: z.strictObject({
      project_uid: z.string(),
      issue_count: z.int(),
      actor: z.string(),
      purged_at: z.string(),
      erased: z.boolean().optional(),
      erasure: z.string().optional(),
    }),
  }),
  async run({ project: name, confirm, reason }, context) {
    const { scope, call, actor } = context;
    scope.requireAll("svc.project_purge");
    requireConfirmation(confirm, `PURGE ${name}`);
    const { id } = await namedProject(name, true, context);
    const { purge_log, erased, erasure } = await call(purgeProject, {
      params: { project_id: id },
      headers: { "x-svc-confirm": confirm },
      body: { reason, actor },
    });
    const { project_uid, issue_count, purged_at } = purge_log;
    return {
      project: name,
      purged: true,
      log: {
        project_uid,
        issue_count,
        actor: purge_log.actor,
        purged_at,
        ...(erased === undefined ? {} : { erased }),
        ...(erasure === undefined ? {} : { erasure }),
      },
    };
  },
});
