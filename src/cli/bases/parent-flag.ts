import { isPlainObject, type JsonObject } from "../../base/json.ts";
import { invalid } from "../../contract/errors.ts";
import { showIssue } from "../../contract/issues.ts";
import { textFlag } from "../flags/flags.ts";
import type { Session } from "../session/session.ts";
import { inOwnProject, type Place, type PlacedDefinition } from "./definition-command.ts";

export const parentFlag = {
  parent: textFlag(
    "parent of the issues that a recurring job creates: short id, project#id or uid",
    "<ref>",
  ),
};

/**
 * Writes the uid of the issue that `--parent` names into the definition. The job belongs to the parent's project, so a
 * project chosen by flag or workspace must be the same project (docs/contract/cron-and-inbox.md#7-commands).
 */
export function withParent(ref: string | undefined): Place {
  return ref === undefined
    ? inOwnProject
    : async (session, definition) => await belowParent(session, definition, ref);
}

async function belowParent(
  session: Session,
  definition: JsonObject,
  ref: string,
): Promise<PlacedDefinition> {
  const { action, issue } = definition;
  if (!isPlainObject(action) || action["kind"] !== "notify")
    throw invalid("--parent belongs to a recurring job: its action is notify");
  if (!isPlainObject(issue) || issue["kind"] !== "per-run")
    throw invalid("--parent belongs to a recurring job: its issue policy is per-run");
  const params = await session.target(ref);
  const { issue: parent } = (await session.call(showIssue, { params })).body();
  const own = await session.projectIfAny();
  if (own !== undefined && own.id !== params.project_id)
    throw invalid(`${parent.qualified_id} is in another project than the one chosen`);
  return {
    project_id: params.project_id,
    definition: { ...definition, issue: { ...issue, parent_uid: parent.uid } },
  };
}
