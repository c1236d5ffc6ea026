import type { listRecurrences as contract } from "../../contract/recurrences.ts";
import type { ReadOp } from "../deps.ts";
import { requireProject } from "../find.ts";
import { recurrenceOut } from "../out/recurrences.ts";

export const listRecurrences: ReadOp<typeof contract> = async (deps, _who, { params }) =>
  await deps.store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    const rows = await reader.recurrences.list(project.uid);
    return { recurrences: rows.map((row) => recurrenceOut(row, project)) };
  });
