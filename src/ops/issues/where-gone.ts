import { shellWord } from "../../base/shell-word.ts";
import { SvcError } from "../../contract/errors.ts";
import { qualifiedId } from "../../domain/refs.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { noIssue } from "../find.ts";

/**
 * The error for a uid that names no live issue. If the issue's project is archived or the issue was purged, the error
 * says so, since other texts may still link to the issue. The error never contains the title, which may be the reason
 * for the purge.
 */
export async function noLiveIssue(
  reader: Reader,
  uid: string,
  issue: StoredIssue | undefined,
): Promise<SvcError> {
  if (issue !== undefined && issue.project_deleted_at !== null) {
    const qualified_id = qualifiedId(issue.project_name, issue.short_id);
    const project = issue.project_name;
    return new SvcError(
      "issue_not_found",
      { ref: uid, gone: { is: "archived", qualified_id, project, at: issue.project_deleted_at } },
      {
        message: `${qualified_id} is in the project ${project}, which is archived`,
        hint: `svc projects restore ${shellWord(project)} brings it back with its issues`,
      },
    );
  }
  const purge = await reader.past.purgeOf(uid);
  if (purge === undefined) return noIssue(uid);
  const { project_name: project, short_id, purged_at: at, actor: by } = purge;
  const qualified_id = qualifiedId(project, short_id);
  return new SvcError(
    "issue_not_found",
    { ref: uid, gone: { is: "purged", qualified_id, project, at, by } },
    {
      message: `${qualified_id} was purged by ${by}`,
      hint: "what was purged is gone for ever",
    },
  );
}
