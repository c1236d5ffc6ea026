import { z } from "zod";
import { readyIssues, readyIssuesGlobal } from "../../../contract/search.ts";
import { compareTake } from "../../../contract/take-order.ts";
import * as inputs from "../../inputs.ts";
import { IssueSummary, scopePair as ScopePair } from "../../objects.ts";
import { personNamed } from "../../person.ts";
import { READS, tool } from "../../tool.ts";
import { type ListedIssue, SUMMARY_FIELDS, scopePair, summaryOf } from "../../views.ts";

export const next = tool({
  name: "svc.next",
  title: "Next issue to take",
  description:
    "The issue to work on next: of those that can be worked on now and that nobody else owns or leases, the one with the highest priority. Claim it with svc.claim.",
  annotations: READS,
  input: z.strictObject({
    project: inputs.onlyProject,
    owner: inputs.owner,
    unowned: inputs.unowned,
    labels: inputs.labels,
    exclude_labels: inputs.excludeLabels,
  }),
  output: z.strictObject({ ...ScopePair, issue: IssueSummary.optional() }),
  async run({ project: name, owner, unowned, labels, exclude_labels }, context) {
    const { scope, call, actor } = context;
    const query = {
      owner: await personNamed(owner, context),
      unowned,
      label: labels,
      exclude_label: exclude_labels,
      order: "take" as const,
      takeable_by: actor,
      limit: 1,
      fields: SUMMARY_FIELDS,
    };
    const projects = await scope.chosen(name);
    const isSingle = scope.isBound || name !== undefined;
    const found: ListedIssue[] = [];
    if (scope.reach.kind === "all" && !isSingle)
      found.push(...(await call(readyIssuesGlobal, { query })).issues);
    else
      for (const { id } of projects)
        found.push(...(await call(readyIssues, { params: { project_id: id }, query })).issues);
    const [first] = found.sort(compareTake);
    const shown = first === undefined ? [] : [first];
    return {
      ...scopePair(projects, isSingle, shown),
      ...(first === undefined ? {} : { issue: summaryOf(first, scope) }),
    };
  },
});
