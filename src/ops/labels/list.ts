import type { listLabels as contract } from "../../contract/labels.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Principal, ReadDeps } from "../deps.ts";
import { requireProject } from "../find.ts";

export async function listLabels(
  deps: Pick<ReadDeps, "store">,
  _who: Principal,
  { params }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  return await deps.store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    return { labels: [...(await reader.labels.counts(project.uid))] };
  });
}
