import { invariant } from "../../base/invariant.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Payload } from "../../contract/events.ts";
import type { mergeProject as contract } from "../../contract/project-actions.ts";
import type { Input, Output } from "../../contract/route.ts";
import { shortIds } from "../../domain/short-id.ts";
import type { StoredProject, Tx } from "../../store/types.ts";
import { actorOf } from "../actor.ts";
import type { Deps, Principal } from "../deps.ts";
import { projectOut } from "../out/projects.ts";
import { findProject } from "./find.ts";
import { refuseMuch } from "./little.ts";
import { refuseTakenName } from "./names.ts";

type Extension = Payload<"project.merged">["short_id_extensions"][number];

/**
 * Everything of the source becomes the target's, its history too; the source is gone. A short id that both have stays
 * with the target's issue, and the other's grows (facts http-api 4.5, 6.9).
 */
export async function mergeProject(
  deps: Pick<Deps, "store" | "little">,
  who: Principal,
  { params, body }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const actor = actorOf(who, body.actor);
  return await deps.store.write(async (tx) => {
    const target = await findProject(tx, params.project_id);
    const source = await findProject(tx, body.source_project_id);
    const name = body.target_name ?? target.name;
    await refuseMuch(deps, tx, source);
    await refuseMerge(tx, source, target, name);
    const moved = await tx.projects.contents(source.uid);
    const extensions = await extensionsOf(tx, source, target);
    await tx.append({
      type: "project.merged",
      actor,
      project_uid: target.uid,
      payload: {
        source_uid: source.uid,
        source_name: source.name,
        short_id_extensions: [...extensions],
      },
    });
    if (name !== target.name) {
      const payload = { from: target.name, to: name };
      await tx.append({ type: "project.renamed", actor, project_uid: target.uid, payload });
    }
    return {
      source: projectOut(source),
      target: projectOut(await findProject(tx, target.id)),
      issues_moved: moved.issues,
      aliases_moved: moved.aliases,
      events_moved: moved.events,
      purge_logs_moved: moved.purge_logs,
      short_id_extensions: [...extensions],
    };
  });
}

async function refuseMerge(
  tx: Tx,
  source: StoredProject,
  target: StoredProject,
  name: string,
): Promise<void> {
  if (source.uid === target.uid) {
    const message = "source_project_id: a project cannot be merged into itself";
    throw new SvcError("validation", { field: "source_project_id" }, { message });
  }
  if (source.deleted_at !== null)
    throw new SvcError("project_merge_archived_source", { name: source.name });
  if (target.deleted_at !== null)
    throw new SvcError("project_merge_archived_target", { name: target.name });
  // The source's own name is free once it is gone.
  if (name !== target.name && name !== source.name) await refuseTakenName(tx, name);
  const mappings = await tx.sharedImports(source.uid, target.uid);
  if (mappings.length > 0)
    throw new SvcError("project_merge_import_mapping_collision", { mappings });
}

async function extensionsOf(
  tx: Tx,
  source: StoredProject,
  target: StoredProject,
): Promise<readonly Extension[]> {
  const given = new Set<string>();
  const extensions: Extension[] = [];
  for (const { uid, short_id } of await tx.issues.sharedShortIds(source.uid, target.uid)) {
    const longer = await freeInBoth(tx, [source, target], uid, given);
    given.add(longer);
    extensions.push({ uid, pre_merge_short_id: short_id, post_merge_short_id: longer });
  }
  return extensions;
}

async function freeInBoth(
  tx: Tx,
  projects: readonly StoredProject[],
  uid: string,
  given: ReadonlySet<string>,
): Promise<string> {
  for (const candidate of shortIds(uid)) {
    if (given.has(candidate)) continue;
    const taken = await Promise.all(
      projects.map(async (project) => await tx.issues.shortIdTaken(project.uid, candidate)),
    );
    if (!taken.includes(true)) return candidate;
  }
  invariant(false, "the whole uid is free as a short id");
}
