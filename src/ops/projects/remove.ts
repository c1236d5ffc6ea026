import { SvcError } from "../../contract/errors.ts";
import type { removeProject as contract } from "../../contract/project-actions.ts";
import { projectRemoved } from "../../domain/drafts/projects.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { requireAnyProject } from "../find.ts";
import { eventOut } from "../out/events.ts";
import { projectOut } from "../out/projects.ts";
import { requireSmallChange } from "./small-change.ts";

/**
 * Archives a project: it is hidden with all of its issues, and keeps its name (docs/contract/http-api.md#69-projects).
 */
export const removeProject: Op<typeof contract, "store" | "smallWorkOnly"> = async (
  deps,
  who,
  { params, query },
) => {
  const actor = actorOf(who, query.actor);
  return await deps.store.write(async (tx) => {
    const project = await requireAnyProject(tx, params.project_id);
    const { uid, name, deleted_at } = project;
    if (deleted_at !== null) throw new SvcError("project_already_archived", { name, deleted_at });
    await requireSmallChange(deps, tx, project);
    const open = (await tx.projects.stats([uid])).get(uid)?.open ?? 0;
    if (open > 0 && query.force !== true) {
      const message = `the project ${name} has ${open} open ${open === 1 ? "issue" : "issues"}`;
      throw new SvcError("project_has_open_issues", { open_issues: open }, { message });
    }
    const aliases = await tx.projects.aliases(uid);
    const counts = { aliases: aliases.length, open };
    const event = await tx.append(projectRemoved(uid, counts, { actor, now: tx.now }));
    const after = await requireAnyProject(tx, params.project_id);
    return { project: projectOut(after), event: eventOut(event, after) };
  });
};
