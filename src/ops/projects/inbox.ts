import { SvcError } from "../../contract/errors.ts";
import type { MetadataPatch } from "../../domain/metadata.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";

export async function inboxProject(reader: Reader): Promise<StoredProject | undefined> {
  return (await reader.projects.list(false)).find(({ metadata }) => metadata["role"] === "inbox");
}

/**
 * Checks a patch that sets the inbox role: throws if the patch contains anything else or if another project has the
 * role (docs/contract/http-api.md#47-metadata).
 */
export async function checkInbox(
  reader: Reader,
  { uid }: StoredProject,
  patch: MetadataPatch,
): Promise<void> {
  if (patch["role"] !== "inbox") return;
  if (Object.keys(patch).length > 1) {
    const message = "role inbox is given by a patch of its own";
    throw new SvcError("invalid_inbox_designation", {}, { message });
  }
  const other = await inboxProject(reader);
  if (other === undefined || other.uid === uid) return;
  const message = `the project ${other.name} is the inbox`;
  throw new SvcError("invalid_inbox_designation", { project: other.name }, { message });
}
