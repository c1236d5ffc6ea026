import { SvcError } from "../../contract/errors.ts";
import type { enableProjectFederation as contract } from "../../contract/federation.ts";
import type { Reader } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { requireProject } from "../find.ts";
import { findBinding, metadataOf, requireHub } from "./binding.ts";
import { FEDERATION_ACTOR, renewBaseline } from "./hub-baseline.ts";

/**
 * Makes this daemon the hub of a project. If it is the hub already, nothing is written
 * (docs/contract/federation.md#13-outcomes, row 59).
 */
export const enableProjectFederation: Op<
  typeof contract,
  "store" | "ids" | "smallWorkOnly"
> = async (deps, who, { params: { project_id }, body }) => {
  const { store } = deps;
  const actor = actorOf(who, body.actor ?? FEDERATION_ACTOR);
  const { project: found, binding } = await store.read(
    async (reader) => await standing(reader, project_id),
  );
  if (binding?.enabled !== 1) {
    const isDue = async (reader: Reader) =>
      (await standing(reader, project_id)).binding?.enabled !== 1;
    await renewBaseline(deps, { project_uid: found.uid, actor, isDue });
  }
  return await store.read(async (reader) => {
    const project = await requireProject(reader, project_id);
    return await metadataOf(reader, project, await requireHub(reader, project));
  });
};

async function standing(reader: Reader, project_id: number) {
  const project = await requireProject(reader, project_id);
  const binding = await findBinding(reader, project);
  if (binding?.role === "spoke") throw new SvcError("not_a_hub", { project_uid: project.uid });
  return { project, binding };
}
