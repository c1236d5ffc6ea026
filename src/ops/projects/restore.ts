import type { restoreProject as contract } from "../../contract/project-actions.ts";
import { projectMetadataUpdated, projectRestored } from "../../domain/drafts/projects.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { requireAnyProject } from "../find.ts";
import { eventOut } from "../out/events.ts";
import { projectOut } from "../out/projects.ts";
import { inboxProject } from "./inbox.ts";
import { requireSmallChange } from "./small-change.ts";

/**
 * Restores an archived project, without the aliases that it lost by archiving, and without the inbox role if another
 * project has it now.
 */
export const restoreProject: Op<typeof contract, "store" | "smallWorkOnly"> = async (
  deps,
  who,
  { params, query },
) => {
  const actor = actorOf(who, query.actor);
  return await deps.store.write(async (tx) => {
    const project = await requireAnyProject(tx, params.project_id);
    const { uid, deleted_at, metadata } = project;
    if (deleted_at === null) return { project: projectOut(project), event: null, changed: false };
    await requireSmallChange(deps, tx, project);
    const act = { actor, now: tx.now };
    if (metadata["role"] === "inbox" && (await inboxProject(tx)) !== undefined) {
      const diff = { role: { from: metadata["role"] } };
      await tx.append(projectMetadataUpdated(project, diff, act));
    }
    const event = await tx.append(projectRestored(uid, act));
    const after = await requireAnyProject(tx, params.project_id);
    return { project: projectOut(after), event: eventOut(event, after), changed: true };
  });
};
