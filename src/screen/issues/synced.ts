import { providerLabel } from "../../domain/issue-sync/provider-labels.ts";
import type { Issue } from "./issues.ts";

type Synced = Issue["synced"];

/** The name of the issue on a code host from which an issue is read, such as `GitHub #12`. */
export function syncedText({ provider, number }: NonNullable<Synced>): string {
  return `${providerLabel(provider)} #${number}`;
}

/** The mark beside the title of a synced issue in a list; `undefined` if the title begins with this mark already. */
export function syncedMark({ title, synced }: Pick<Issue, "title" | "synced">): string | undefined {
  if (synced === undefined) return undefined;
  const text = syncedText(synced);
  return title.startsWith(`[${text}]`) ? undefined : text;
}

/** The text in the form for title and text if a code host owns fields of the issue. */
export function ownedFormText(synced: NonNullable<Synced>): string {
  return `${syncedText(synced)} owns title and text, as well as status, owner, and the labels and parent that came from there: an edit is lost when the issue changes there.`;
}

/** The warning after an edit of fields that a code host owns; `undefined` if the edit changed no such fields. */
export function overwriteWarning(
  synced: Synced,
  fields: readonly string[] | undefined,
): string | undefined {
  if (synced === undefined || fields === undefined) return undefined;
  return `${syncedText(synced)} owns ${fields.join(", ")} and may undo it`;
}
