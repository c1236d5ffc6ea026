import type { purgeIssue as contract } from "../../contract/removal.ts";
import { purgeConfirmation } from "../../domain/confirm.ts";
import { qualifiedId } from "../../domain/refs.ts";
import { actorOf } from "../actor.ts";
import { requireConfirm } from "../confirm.ts";
import type { Op } from "../deps.ts";
import { requireIssue } from "../find.ts";
import { eraseOut } from "../out/erased.ts";
import { purgeOut, reasonOf } from "../out/purges.ts";

/**
 * Purges an issue, deleted or not. Readers of the log must start over afterwards
 * (docs/contract/http-api.md#53-purge-and-reset).
 */
export const purgeIssue: Op<typeof contract> = async (deps, who, { params, headers, body }) => {
  const actor = actorOf(who, body.actor);
  const purge_log = await deps.store.write(async (tx) => {
    const { project, issue } = await requireIssue(tx, params, { deleted: true });
    const name = qualifiedId(project.name, issue.short_id);
    requireConfirm(headers["x-svc-confirm"], purgeConfirmation(name));
    const purged = await tx.purgeIssue(issue, { actor, reason: reasonOf(body.reason) });
    return purgeOut(purged);
  });
  return { purge_log, ...(await eraseOut(deps.store)) };
};
