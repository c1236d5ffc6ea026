import { z } from "zod";
import { readyIssues, readyIssuesGlobal } from "../../../contract/search.ts";
import * as inputs from "../../inputs.ts";
import { issuePage } from "../../issue-pages.ts";
import { IssueListOutput } from "../../objects.ts";
import { personNamed } from "../../person.ts";
import { READS, tool } from "../../tool.ts";

export const ready = tool({
  name: "svc.ready",
  title: "List ready issues",
  description:
    "Open issues that can be worked on now, since nothing blocks or defers them, last changed first. One page; pass next_cursor for more.",
  annotations: READS,
  input: z.strictObject({
    project: inputs.onlyProject,
    limit: inputs.limit,
    cursor: inputs.cursor,
    owner: inputs.owner,
    unowned: inputs.unowned,
    labels: inputs.labels,
    exclude_labels: inputs.excludeLabels,
  }),
  output: IssueListOutput,
  async run({ limit, cursor, project, owner, unowned, labels, exclude_labels }, context) {
    const filters = {
      owner: await personNamed(owner, context),
      unowned,
      label: labels,
      exclude_label: exclude_labels,
    };
    return await issuePage(context.scope, {
      limit,
      cursor,
      project,
      order: "recent",
      of: async ({ id }, page) =>
        await context.call(readyIssues, {
          params: { project_id: id },
          query: { ...filters, ...page },
        }),
      ofAll: async (page) =>
        await context.call(readyIssuesGlobal, { query: { ...filters, ...page } }),
    });
  },
});
