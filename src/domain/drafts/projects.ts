import type { Payload } from "../../contract/events.ts";
import type { Diff } from "../metadata.ts";
import type { AliasRow, ProjectRow } from "../state.ts";
import { type Act, projectEventDraft } from "./draft.ts";

type Alias = Pick<AliasRow, "alias_identity" | "alias_kind">;

export function projectCreated(uid: string, name: string, act: Act) {
  return projectEventDraft("project.created", uid, act, { name });
}

export function projectRenamed(
  { uid, name: from }: Pick<ProjectRow, "uid" | "name">,
  to: string,
  act: Act,
) {
  return projectEventDraft("project.renamed", uid, act, { from, to });
}

export function aliasAdded(uid: string, { alias_identity, alias_kind }: Alias, act: Act) {
  return projectEventDraft("project.alias_added", uid, act, { alias_identity, alias_kind });
}

/** `last` is true if the alias was the project's last one, which is removed only with `force`. */
export function aliasRemoved(
  uid: string,
  { alias_identity, alias_kind }: Alias,
  last: boolean,
  act: Act,
) {
  return projectEventDraft("project.alias_removed", uid, act, {
    alias_identity,
    alias_kind,
    ...(last ? { was_last: true, force: true } : {}),
  });
}

export function projectRemoved(
  uid: string,
  { aliases, open }: { readonly aliases: number; readonly open: number },
  act: Act,
) {
  return projectEventDraft("project.removed", uid, act, {
    alias_count: aliases,
    open_issues: open,
    ...(open > 0 ? { force: true } : {}),
  });
}

export function projectRestored(uid: string, act: Act) {
  return projectEventDraft("project.restored", uid, act, {});
}

export function projectMetadataUpdated(
  { uid, revision }: Pick<ProjectRow, "uid" | "revision">,
  diff: Diff,
  act: Act,
) {
  const payload = { diff: { ...diff }, revision_new: revision + 1, updated_at: act.now };
  return projectEventDraft("project.metadata_updated", uid, act, payload);
}

export function projectMerged(targetUid: string, payload: Payload<"project.merged">, act: Act) {
  return projectEventDraft("project.merged", targetUid, act, payload);
}

type RewrittenPayload = Omit<Payload<"project.author_rewritten">, "project_uid" | "updated_at">;

export function authorRewritten(uid: string, rewritten: RewrittenPayload, act: Act) {
  const payload = { project_uid: uid, ...rewritten, updated_at: act.now };
  return projectEventDraft(
    "project.author_rewritten",
    uid,
    act,
    payload as Payload<"project.author_rewritten">,
  );
}
