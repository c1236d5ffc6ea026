import type { getProjectFederation as contract } from "../../contract/federation.ts";
import type { ReadOp } from "../deps.ts";
import { requireProject } from "../find.ts";
import { metadataOf, requireHub } from "./binding.ts";

export const getProjectFederation: ReadOp<typeof contract> = async (
  { store },
  _who,
  { params: { project_id } },
) =>
  await store.read(async (reader) => {
    const project = await requireProject(reader, project_id);
    return await metadataOf(reader, project, await requireHub(reader, project));
  });
