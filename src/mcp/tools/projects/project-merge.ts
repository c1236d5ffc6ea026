import { z } from "zod";
import { mergeProject } from "../../../contract/project-actions.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";
import { namedProject } from "./find-project.ts";
import { ProjectSummary, projectOf } from "./project-output.ts";

/** The answer names at most this many of the short ids that became longer. */
const MAX_EXTENSIONS = 20;

export const projectMerge = tool({
  name: "svc.project_merge",
  title: "Merge projects",
  description:
    "Moves everything of source into target; source is gone afterwards. Needs a server with --all-projects.",
  annotations: CHANGES,
  input: z.strictObject({
    source: inputs.project,
    target: inputs.project,
    target_name: inputs.project.optional().describe("new name of the target"),
  }),
  output: z.strictObject({
    source: ProjectSummary,
    target: ProjectSummary,
    issues_moved: z.int(),
    events_moved: z.int(),
    aliases_moved: z.int(),
    purge_logs_moved: z.int(),
    short_id_extensions: z
      .array(z.strictObject({ uid: z.string(), before: z.string(), after: z.string() }))
      .optional(),
  }),
  async run({ source, target, target_name }, context) {
    context.scope.requireAll("svc.project_merge");
    const from = await namedProject(source, false, context);
    const into = await namedProject(target, false, context);
    const answer = await context.call(mergeProject, {
      params: { project_id: into.id },
      body: { source_project_id: from.id, target_name, actor: context.actor },
    });
    const { issues_moved, events_moved, aliases_moved, purge_logs_moved } = answer;
    const extensions = answer.short_id_extensions.slice(0, MAX_EXTENSIONS).map((extension) => {
      const { uid, pre_merge_short_id, post_merge_short_id } = extension;
      return { uid, before: pre_merge_short_id, after: post_merge_short_id };
    });
    return {
      source: projectOf(answer.source),
      target: projectOf(answer.target),
      issues_moved,
      events_moved,
      aliases_moved,
      purge_logs_moved,
      ...(extensions.length === 0 ? {} : { short_id_extensions: extensions }),
    };
  },
});
