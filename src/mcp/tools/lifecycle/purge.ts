import { z } from "zod";
import { purgeIssue } from "../../../contract/removal.ts";
import { fixedIssue, requireConfirmation } from "../../confirmed.ts";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";

export const purge = tool({
  name: "svc.purge",
  title: "Purge issue",
  description:
    "Erases an issue and its history; nothing brings it back. The record keeps the title and the author; earlier backups still hold it all.",
  annotations: CHANGES,
  input: z.strictObject({
    ref: inputs.ref,
    confirm: z.string().describe("exactly PURGE <project>#<short_id>"),
    reason: inputs.reason.optional(),
  }),
  output: z.strictObject({
    project: ProjectIdentity,
    ref: z.string(),
    purged: z.boolean(),
    log: z.strictObject({
      issue_uid: z.string(),
      actor: z.string(),
      purged_at: z.string(),
      erased: z.boolean().optional(),
      erasure: z.string().optional(),
    }),
  }),
  async run({ ref, confirm, reason }, context) {
    const { project, qualified_ref, params } = await fixedIssue(ref, true, context);
    requireConfirmation(confirm, `PURGE ${qualified_ref}`);
    const answer = await context.call(purgeIssue, {
      params,
      headers: { "x-svc-confirm": confirm },
      body: { reason, actor: context.actor },
    });
    const { purge_log, erased, erasure } = answer;
    const { issue_uid, actor, purged_at } = purge_log;
    const log = { issue_uid, actor, purged_at };
    return {
      project,
      ref: qualified_ref,
      purged: true,
      log: {
        ...log,
        ...(erased === undefined ? {} : { erased }),
        ...(erasure === undefined ? {} : { erasure }),
      },
    };
  },
});
