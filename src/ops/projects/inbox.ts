import { SvcError } from "../../contract/errors.ts";
import type { MetadataPatch } from "../../domain/metadata.ts";
import type { Reader, StoredProject } from "../../store/types.ts";

/** The active project that takes what belongs nowhere else, when one is designated. */
export async function inboxProject(reader: Reader): Promise<StoredProject | undefined> {
  return (await reader.projects.list(false)).find(({ metadata }) => metadata["role"] === "inbox");
}

/** A designation stands alone in its patch, and one project has it (facts http-api 4.7). */
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
