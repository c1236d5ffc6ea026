import type { listRecurrences as contract } from "../../contract/recurrences.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Principal, ReadDeps } from "../deps.ts";
import { requireProject } from "../find.ts";
import { recurrenceOut } from "../out/recurrences.ts";

export async function listRecurrences(
  deps: Pick<ReadDeps, "store">,
  _who: Principal,
  { params }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  return await deps.store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    const rows = await reader.recurrences.list(project.uid);
    return { recurrences: rows.map((row) => recurrenceOut(row, project)) };
  });
}
