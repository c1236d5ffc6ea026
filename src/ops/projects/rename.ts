import type { renameProject as contract } from "../../contract/projects.ts";
import { projectRenamed } from "../../domain/drafts/projects.ts";
import { checkRevision } from "../../domain/issues.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { requireProject } from "../find.ts";
import { ifMatchRevision } from "../guards.ts";
import { aliasOut, projectOut } from "../out/projects.ts";
import { refuseTakenName } from "./names.ts";
import { requireSmallChange } from "./small-change.ts";

/** Renames a project; the qualified ids of its issues change with it. */
export const renameProject: Op<typeof contract, "store" | "smallWorkOnly"> = async (
  deps,
  who,
  { params, headers, body },
) => {
  const actor = actorOf(who, body.actor);
  const wanted = ifMatchRevision(headers["if-match"]);
  const { name } = body;
  return await deps.store.write(async (tx) => {
    const before = await requireProject(tx, params.project_id);
    checkRevision("project", before.revision, wanted);
    if (before.name !== name) {
      await refuseTakenName(tx, name);
      await requireSmallChange(deps, tx, before);
      await tx.append(projectRenamed(before, name, { actor, now: tx.now }));
    }
    const project: StoredProject = { ...before, name };
    const aliases = await tx.projects.aliases(project.uid);
    return {
      project: projectOut(project),
      aliases: aliases.map((alias) => aliasOut(alias, project)),
    };
  });
};
