import { SvcError } from "../../contract/errors.ts";
import type { detachProjectAlias as contract } from "../../contract/project-actions.ts";
import { aliasRemoved } from "../../domain/drafts/projects.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { requireProject } from "../find.ts";
import { eventOut } from "../out/events.ts";
import { aliasOut } from "../out/projects.ts";

export const detachProjectAlias: Op<typeof contract> = async (deps, who, { params, query }) => {
  const actor = actorOf(who, query.actor);
  return await deps.store.write(async (tx) => {
    const project = await requireProject(tx, params.project_id);
    const aliases = await tx.projects.aliases(project.uid);
    const alias = aliases.find(({ id }) => id === params.alias_id);
    if (alias === undefined) throw new SvcError("alias_not_found", { alias_id: params.alias_id });
    const last = aliases.length === 1;
    if (last && query.force !== true) throw new SvcError("alias_is_last");
    const draft = aliasRemoved(project.uid, alias, last, { actor, now: tx.now });
    const event = await tx.append(draft);
    return { alias: aliasOut(alias, project), event: eventOut(event, project) };
  });
};
