import { showIssue } from "../contract/issues.ts";
import type { NamedProject } from "../shared/project-choice.ts";
import { ToolError } from "./failure.ts";
import type { ToolContext } from "./tool.ts";

/** An issue that is named by its uid, so that a later request cannot mean another issue than the checked one. */
export interface FixedIssue {
  readonly project: NamedProject;
  readonly qualified_ref: string;
  readonly params: { readonly project_id: number; readonly ref: string };
}

export async function fixedIssue(
  ref: string,
  include_deleted: boolean,
  { scope, call }: ToolContext,
): Promise<FixedIssue> {
  const { project, params } = await scope.issue(ref);
  const { issue } = await call(showIssue, { params, query: { include_deleted, max_bytes: 1 } });
  return {
    project,
    qualified_ref: issue.qualified_id,
    params: { project_id: project.id, ref: issue.uid },
  };
}

export function requireConfirmation(confirmation: string | undefined, expected: string): void {
  if (confirmation !== expected)
    throw new ToolError(`confirmation must be exactly ${JSON.stringify(expected)}`);
}
