import { showIssue } from "../contract/issues.ts";
import { ToolError } from "./failure.ts";
import type { Project } from "./scope.ts";
import type { ToolContext } from "./tool.ts";

/**
 * An issue that is named by its uid. A later request with this uid cannot mean another issue than the one that was
 * checked.
 */
export interface FixedIssue {
  readonly project: Project;
  readonly qualified_ref: string;
  readonly params: { readonly project_id: number; readonly ref: string };
}

/** Finds an issue. With `include_deleted`, it also finds a deleted one. */
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

/** Fails if the confirmation is not exactly the expected text. */
export function requireConfirmation(given: string | undefined, expected: string): void {
  if (given !== expected)
    throw new ToolError(`confirmation must be exactly ${JSON.stringify(expected)}`);
}
