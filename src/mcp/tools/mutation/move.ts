import { z } from "zod";
import { showIssue } from "../../../contract/issues.ts";
import { moveIssue } from "../../../contract/removal.ts";
import { ifMatch } from "../../../shared/revision.ts";
import * as inputs from "../../inputs.ts";
import { IssueSummary, ProjectIdentity } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";
import { echoOf } from "../../views.ts";

export const move = tool({
  name: "svc.move",
  title: "Move issue",
  description: "Moves an issue to another project of this server.",
  annotations: CHANGES,
  input: z.strictObject({
    ref: inputs.ref,
    to_project: inputs.project,
    revision: inputs.revision,
  }),
  output: z.strictObject({
    from: ProjectIdentity,
    to: ProjectIdentity,
    issue: IssueSummary,
    changed: z.boolean(),
    event_id: z.int(),
    new_short_id: z.string().optional(),
  }),
  async run({ ref, to_project, revision }, { scope, call, actor }) {
    const { project: from, params } = await scope.issue(ref);
    const to = await scope.project(to_project);
    const currentRevision = async (): Promise<number> =>
      (await call(showIssue, { params, query: { max_bytes: 1 } })).issue.revision;
    const answer = await call(moveIssue, {
      params,
      headers: ifMatch(revision ?? (await currentRevision())),
      body: { to_project_uid: to.uid, actor },
    });
    const { issue, changed, event_id, new_short_id } = answer;
    return {
      from,
      to,
      issue: echoOf(issue, scope),
      changed,
      event_id,
      ...(new_short_id === undefined ? {} : { new_short_id }),
    };
  },
});
