import type { listLabels as contract } from "../../contract/labels.ts";
import type { ReadOp } from "../deps.ts";
import { requireProject } from "../find.ts";

export const listLabels: ReadOp<typeof contract> = async (deps, _who, { params }) =>
  await deps.store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    return { labels: [...(await reader.labels.counts(project.uid))] };
  });
