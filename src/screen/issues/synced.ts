import { providerLabel } from "../../domain/issue-sync/provider-labels.ts";
import type { Issue } from "./issues.ts";

type Synced = Issue["synced"];

/** The issue of a code host that an issue follows, as `GitHub #12`. */
export function syncedText({ provider, number }: NonNullable<Synced>): string {
  return `${providerLabel(provider)} #${number}`;
}

/** What a row of a list says beside the title of a synced issue; `undefined` if the title says it already. */
export function syncedMark({ title, synced }: Pick<Issue, "title" | "synced">): string | undefined {
  if (synced === undefined) return undefined;
  const text = syncedText(synced);
  return title.startsWith(`[${text}]`) ? undefined : text;
}

/** What the form for title and text says about an issue whose fields a code host owns. */
export function ownedFormText(synced: NonNullable<Synced>): string {
  return `${syncedText(synced)} owns title and text, as well as status, owner, and the labels and parent that came from there: an edit is lost when the issue changes there.`;
}

/** What is said after an edit of fields that a code host owns; `undefined` if there were none. */
export function overwriteWarning(
  synced: Synced,
  fields: readonly string[] | undefined,
): string | undefined {
  if (synced === undefined || fields === undefined) return undefined;
  return `${syncedText(synced)} owns ${fields.join(", ")} and may undo it`;
}
