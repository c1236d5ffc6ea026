import type { patchProjectMetadata as contract } from "../../contract/project-actions.ts";
import { projectMetadataUpdated } from "../../domain/drafts/projects.ts";
import { checkRevision } from "../../domain/issues.ts";
import { checkProjectPatch, diffOf } from "../../domain/metadata.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { requireProject } from "../find.ts";
import { ifMatchRevision } from "../guards.ts";
import { eventOut } from "../out/events.ts";
import { projectOut } from "../out/projects.ts";
import { checkInbox } from "./inbox.ts";

export const patchProjectMetadata: Op<typeof contract> = async (
  deps,
  who,
  { params, headers, body },
) => {
  const actor = actorOf(who, body.actor);
  const wanted = ifMatchRevision(headers["if-match"]);
  checkProjectPatch(body.patch);
  return await deps.store.write(async (tx) => {
    const project = await requireProject(tx, params.project_id);
    checkRevision("project", project.revision, wanted);
    await checkInbox(tx, project, body.patch);
    const diff = diffOf(project.metadata, body.patch);
    if (diff === undefined) return { project: projectOut(project), changed: false, event: null };
    const draft = projectMetadataUpdated(project, diff, { actor, now: tx.now });
    const event = await tx.append(draft);
    const after = await requireProject(tx, params.project_id);
    return { project: projectOut(after), changed: true, event: eventOut(event, after) };
  });
};
