import { z } from "zod";
import { listAllIssues, listIssues } from "../../../contract/issues.ts";
import * as inputs from "../../inputs.ts";
import { issuePage } from "../../issue-pages.ts";
import { IssueListOutput } from "../../objects.ts";
import { personNamed } from "../../person.ts";
import { READS, tool } from "../../tool.ts";

const Priority = z.int().min(0).max(4);

export const list = tool({
  name: "svc.list",
  title: "List issues",
  description: "Issues, last changed first. One page; pass next_cursor for more.",
  annotations: READS,
  input: z.strictObject({
    project: inputs.onlyProject,
    status: z.enum(["open", "closed"]).optional().describe("default both"),
    limit: inputs.limit,
    cursor: inputs.cursor,
    priority: Priority.optional().describe("exactly this one, 0 (highest) to 4"),
    max_priority: Priority.optional().describe("this or a higher one, so 0 to this number"),
    owner: inputs.owner,
    unowned: inputs.unowned,
    labels: inputs.labels,
    exclude_labels: inputs.excludeLabels,
    metadata: z
      .array(z.string().min(1))
      .max(100)
      .optional()
      .describe("each a key or key=value; the issue has all"),
  }),
  output: IssueListOutput,
  async run({ limit, cursor, project, labels, exclude_labels, metadata, ...input }, context) {
    const filters = {
      status: input.status,
      priority: priorityText(input.priority),
      max_priority: priorityText(input.max_priority),
      owner: await personNamed(input.owner, context),
      unowned: input.unowned,
      label: labels,
      exclude_label: exclude_labels,
      meta: metadata,
    };
    const isAll = context.scope.reach.kind === "all" && project === undefined;
    return await issuePage(context.scope, {
      limit,
      cursor,
      project,
      order: isAll ? "created" : "recent",
      of: async ({ id }, page) =>
        await context.call(listIssues, {
          params: { project_id: id },
          query: { ...filters, ...page },
        }),
      ofAll: async (page) => await context.call(listAllIssues, { query: { ...filters, ...page } }),
    });
  },
});

function priorityText(priority: number | undefined) {
  return priority === undefined ? undefined : (String(priority) as "0" | "1" | "2" | "3" | "4");
}
