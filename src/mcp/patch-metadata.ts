import type { JsonObject } from "../base/json.ts";
import { patchIssueMetadata } from "../contract/issues.ts";
import { ifMatch } from "../shared/revision.ts";
import type { ToolContext } from "./tool.ts";
import { writtenOf } from "./views.ts";

/**
 * Changes the metadata of an issue. If `revision` is given, the daemon refuses the change unless the issue has that
 * revision.
 */
export async function patchMetadata(
  ref: string,
  patch: JsonObject,
  revision: number | undefined,
  { scope, call, actor }: ToolContext,
) {
  const { project, params } = await scope.issue(ref);
  const headers = ifMatch(revision);
  const answer = await call(patchIssueMetadata, { params, headers, body: { patch, actor } });
  return await writtenOf(project, answer, scope);
}
