import { SvcError } from "../../contract/errors.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";

export function isActive(project: StoredProject | undefined): project is StoredProject {
  return project !== undefined && project.deleted_at === null;
}

/**
 * Throws if the project that has the name is archived: an archived project keeps its name
 * (docs/contract/http-api.md#69-projects).
 */
export function refuseArchivedName({ name, deleted_at }: StoredProject): void {
  if (deleted_at === null) return;
  throw new SvcError(
    "project_archived",
    { name, deleted_at },
    { message: `the project ${name} is archived` },
  );
}

export async function refuseTakenName(reader: Reader, name: string): Promise<void> {
  const other = await reader.projects.findByName(name);
  if (other === undefined) return;
  refuseArchivedName(other);
  throw new SvcError("conflict", { name }, { message: `there is a project ${name} already` });
}
