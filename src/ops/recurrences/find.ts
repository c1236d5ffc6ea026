import { isUlid } from "../../base/ids.ts";
import { SvcError } from "../../contract/errors.ts";
import type { StoredProject, StoredRecurrence } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { requireProject } from "../find.ts";

export interface RecurrenceParams {
  readonly project_id: number;
  readonly recurrence_uid: string;
}

export async function requireRecurrence(
  reader: Reader,
  { project_id, recurrence_uid }: RecurrenceParams,
): Promise<{ readonly project: StoredProject; readonly recurrence: StoredRecurrence }> {
  const project = await requireProject(reader, project_id);
  const uid = recurrence_uid.toUpperCase();
  const recurrence = isUlid(uid) ? await reader.recurrences.find(uid) : undefined;
  if (
    recurrence === undefined ||
    recurrence.deleted_at !== null ||
    recurrence.project_uid !== project.uid
  )
    throw new SvcError("not_found", { recurrence_uid }, { message: "recurrence not found" });
  return { project, recurrence };
}
