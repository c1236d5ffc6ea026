import { isUlid } from "../../base/ulid.ts";
import { SvcError } from "../../contract/errors.ts";
import type { IssueRow } from "../../domain/state.ts";
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

/** The series of an issue; `undefined` if the issue has none, or the database does not contain it. */
export async function seriesOf(
  reader: Reader,
  { recurrence_uid: uid }: Pick<IssueRow, "recurrence_uid">,
): Promise<StoredRecurrence | undefined> {
  return uid === null ? undefined : await reader.recurrences.find(uid);
}
