import { SvcError } from "../../contract/errors.ts";
import type { Reader, StoredProject } from "../../store/types.ts";

export function isActive(project: StoredProject | undefined): project is StoredProject {
  return project !== undefined && project.deleted_at === null;
}

/** The name of an archived project stays its own (facts http-api 6.9). */
export function refuseArchivedName({ name, deleted_at }: StoredProject): void {
  if (deleted_at === null) return;
  throw new SvcError(
    "project_archived",
    { name, deleted_at },
    { message: `the project ${name} is archived` },
  );
}

/** A name is one project's, archived ones included. */
export async function refuseTakenName(reader: Reader, name: string): Promise<void> {
  const other = await reader.projects.findByName(name);
  if (other === undefined) return;
  refuseArchivedName(other);
  throw new SvcError("conflict", { name }, { message: `there is a project ${name} already` });
}
