import { z } from "zod";
import { listLabels } from "../../../contract/labels.ts";
import { firstRows, roomFor } from "../../budget.ts";
import * as inputs from "../../inputs.ts";
import { scopePair as ScopePair } from "../../objects.ts";
import { tool } from "../../tool.ts";

export const labels = tool({
  name: "svc.labels",
  title: "List labels",
  description: "Labels with the number of issues that carry each, the commonest first.",
  hints: "+-+-",
  input: z.strictObject({ project: inputs.project.optional(), limit: inputs.limit }),
  output: z.strictObject({
    ...ScopePair,
    labels: z.array(z.strictObject({ label: z.string(), count: z.int() })),
    truncated: z.boolean(),
  }),
  async run({ project: name, limit }, { scope, call }) {
    const projects = await scope.chosen(name);
    const [only] = projects;
    const counts = new Map<string, number>();
    for (const { id } of projects) {
      const answer = await call(listLabels, { params: { project_id: id } });
      for (const { label, count } of answer.labels)
        counts.set(label, (counts.get(label) ?? 0) + count);
    }
    const all = [...counts].map(([label, count]) => ({ label, count })).sort(commonestFirst);
    const isSingle = scope.isBound || name !== undefined;
    const named = firstRows(projects, { rows: projects.length, bytes: PROJECTS_BYTES });
    const pair = isSingle && only !== undefined ? { project: only } : { projects: [...named] };
    const rows = firstRows(all, roomFor(limit, pair));
    return { ...pair, labels: [...rows], truncated: rows.length < all.length };
  },
});

/** Of many projects those are named that fit into this. */
const PROJECTS_BYTES = 2048;

interface Counted {
  readonly label: string;
  readonly count: number;
}

function commonestFirst(one: Counted, other: Counted): number {
  return other.count - one.count || (one.label < other.label ? -1 : 1);
}
