import { SvcError } from "../../contract/errors.ts";
import type { purgeProject as contract } from "../../contract/project-actions.ts";
import { purgeConfirmation } from "../../domain/confirm.ts";
import { actorOf } from "../actor.ts";
import { requireConfirm } from "../confirm.ts";
import type { Op } from "../deps.ts";
import { requireAnyProject } from "../find.ts";
import { eraseOut } from "../out/erased.ts";
import { purgeOut, reasonOf } from "../out/purges.ts";
import { requireSmallChange } from "./small-change.ts";

/** Purges an archived project with everything in it. Issues that moved to other projects before stay complete. */
export const purgeProject: Op<typeof contract, "store" | "smallWorkOnly"> = async (
  deps,
  who,
  { params, headers, body },
) => {
  const actor = actorOf(who, body.actor);
  const purge_log = await deps.store.write(async (tx) => {
    const project = await requireAnyProject(tx, params.project_id);
    const { name } = project;
    if (project.deleted_at === null) throw new SvcError("project_not_archived", { name });
    requireConfirm(headers["x-svc-confirm"], purgeConfirmation(name));
    await requireSmallChange(deps, tx, project);
    const purged = await tx.purgeProject(project, { actor, reason: reasonOf(body.reason) });
    return purgeOut(purged);
  });
  return { purge_log, ...(await eraseOut(deps.store)) };
};
