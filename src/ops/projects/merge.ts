import { invariant } from "../../base/invariant.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Payload } from "../../contract/events.ts";
import type { mergeProject as contract } from "../../contract/project-actions.ts";
import { projectMerged, projectRenamed } from "../../domain/drafts/projects.ts";
import { PLAN_PREFIX, renamedPlans } from "../../domain/plan-names.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { requireAnyProject } from "../find.ts";
import { projectOut } from "../out/projects.ts";
import { freeShortIds } from "../short-id.ts";
import { refuseTakenName } from "./names.ts";
import { requireSmallChange } from "./small-change.ts";

type Extension = Payload<"project.merged">["short_id_extensions"][number];

/**
 * Merges a project into another with its whole history and removes the source. If both projects have the same short id,
 * the target's issue keeps it and the source's issue gets a longer one (docs/contract/http-api.md#45-refs-and-ids and
 * docs/contract/http-api.md#69-projects).
 */
export const mergeProject: Op<typeof contract, "store" | "smallWorkOnly"> = async (
  deps,
  who,
  { params, body },
) => {
  const actor = actorOf(who, body.actor);
  return await deps.store.write(async (tx) => {
    const target = await requireAnyProject(tx, params.project_id);
    const source = await requireAnyProject(tx, body.source_project_id);
    const name = body.target_name ?? target.name;
    await requireSmallChange(deps, tx, source);
    await refuseMerge(tx, source, target, name);
    const moved = await tx.projects.contents(source.uid);
    const extensions = await extensionsOf(tx, source, target);
    const plans = renamedPlans(await plansOf(tx, source), await plansOf(tx, target));
    const plans_renamed =
      plans.length === 0 ? {} : { plans_renamed: plans.map((plan) => ({ ...plan })) };
    const act = { actor, now: tx.now };
    const merge = {
      source_uid: source.uid,
      source_name: source.name,
      short_id_extensions: [...extensions],
      ...plans_renamed,
    };
    await tx.append(projectMerged(target.uid, merge, act));
    if (name !== target.name) await tx.append(projectRenamed(target, name, act));
    return {
      source: projectOut(source),
      target: projectOut(await requireAnyProject(tx, target.id)),
      issues_moved: moved.issues,
      aliases_moved: moved.aliases,
      events_moved: moved.events,
      purge_logs_moved: moved.purge_logs,
      short_id_extensions: [...extensions],
      ...plans_renamed,
    };
  });
};

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
  // The merge frees the source's name, so the target may get it.
  if (name !== target.name && name !== source.name) await refuseTakenName(tx, name);
  const shared = await tx.marks.sharedImports(source.uid, target.uid);
  const mappings = shared.filter((mapping) => !mapping.source.startsWith(PLAN_PREFIX));
  if (mappings.length > 0)
    throw new SvcError("project_merge_import_mapping_collision", { mappings });
}

async function extensionsOf(
  tx: Tx,
  source: StoredProject,
  target: StoredProject,
): Promise<readonly Extension[]> {
  const shared = await tx.issues.sharedShortIds(source.uid, target.uid);
  const longer = await freeShortIds(
    tx,
    [source.uid, target.uid],
    shared.map(({ uid }) => uid),
  );
  return shared.map(({ uid, short_id }) => {
    const post_merge_short_id = longer.get(uid);
    invariant(post_merge_short_id !== undefined, "each of them was given a short id");
    return { uid, pre_merge_short_id: short_id, post_merge_short_id };
  });
}

async function plansOf(tx: Tx, { uid }: StoredProject): Promise<readonly string[]> {
  const sources = await tx.marks.importSources(uid);
  return sources
    .filter((source) => source.startsWith(PLAN_PREFIX))
    .map((source) => source.slice(PLAN_PREFIX.length));
}
