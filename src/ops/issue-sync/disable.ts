import { SvcError } from "../../contract/errors.ts";
import type { disableIssueSync as contract } from "../../contract/issue-sync.ts";
import { requireWriter } from "../actor.ts";
import type { Op } from "../deps.ts";
import { requireProject } from "../find.ts";
import { bindingOut, findBound, requireProvider, statusOut } from "./binding.ts";

/** Stops the runs of a binding. A run that is under way ends at its next write, since it has lost its claim. */
export const disableIssueSync: Op<typeof contract, "store" | "clock"> = async (
  { store, clock },
  who,
  { params },
) => {
  requireWriter(who);
  const provider = requireProvider(params.provider);
  return await store.write(async (tx) => {
    const project = await requireProject(tx, params.project_id);
    const bound = await findBound(tx, project, provider);
    if (bound === undefined)
      throw new SvcError("issue_sync_not_found", { project_id: project.id, provider });
    const binding = { ...bound.binding, enabled: 0 as const, updated_at: tx.now };
    const status = { ...bound.status, sync_started_at: null };
    const isChanged = bound.binding.enabled === 1 || bound.status.sync_started_at !== null;
    if (isChanged) {
      await tx.unfolded.put("issue_sync_binding", binding);
      await tx.unfolded.put("issue_sync_status", status);
    }
    const now = isChanged ? { project, binding, status } : bound;
    return { binding: bindingOut(now), status: statusOut(now, clock.nowMs()) };
  });
};
