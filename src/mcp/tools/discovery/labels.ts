import { z } from "zod";
import { listLabels } from "../../../contract/labels.ts";
import { firstRows, roomFor } from "../../budget.ts";
import * as inputs from "../../inputs.ts";
import { cut, scopePair as ScopePair } from "../../objects.ts";
import { foreignCursor, pageOf } from "../../paging.ts";
import { READS, tool } from "../../tool.ts";

export const labels = tool({
  name: "svc.labels",
  title: "List labels",
  description:
    "Labels with the number of issues that carry each, the commonest first. One page; pass next_cursor for more.",
  annotations: READS,
  input: z.strictObject({
    project: inputs.onlyProject,
    limit: inputs.limit,
    cursor: inputs.cursorOf(80),
  }),
  output: z.strictObject({
    ...ScopePair,
    labels: z.array(z.strictObject({ label: z.string(), count: z.int() })),
    ...cut,
  }),
  async run({ project: name, limit, cursor }, { scope, call }) {
    const last = cursor === undefined ? undefined : placeIn(cursor);
    const projects = await scope.chosen(name);
    const [only] = projects;
    const counts = new Map<string, number>();
    for (const { id } of projects) {
      const answer = await call(listLabels, { params: { project_id: id } });
      for (const { label, count } of answer.labels)
        counts.set(label, (counts.get(label) ?? 0) + count);
    }
    const rest = [...counts]
      .map(([label, count]) => ({ label, count }))
      .filter((row) => last === undefined || commonestFirst(last, row) < 0)
      .sort(commonestFirst);
    const isSingle = scope.isBound || name !== undefined;
    const named = firstRows(projects, { rows: projects.length, bytes: PROJECTS_BYTES });
    const pair = isSingle && only !== undefined ? { project: only } : { projects: [...named] };
    const page = pageOf(rest, roomFor(limit, pair), ({ label, count }) => `${count}:${label}`);
    return { ...pair, labels: [...page.rows], ...page.cut };
  },
});

/** If there are many projects, the answer names only those that fit into this many bytes. */
const PROJECTS_BYTES = 2048;

interface LabelCount {
  readonly label: string;
  readonly count: number;
}

function commonestFirst(one: LabelCount, other: LabelCount): number {
  return other.count - one.count || (one.label < other.label ? -1 : 1);
}

/** A cursor: a count, a colon and a label. */
const CURSOR = /^(\d{1,15}):(.+)$/;

/** Returns the row after which the next page begins. */
function placeIn(cursor: string): LabelCount {
  const [, count, label] = CURSOR.exec(cursor) ?? [];
  if (count === undefined || label === undefined) throw foreignCursor();
  return { label, count: Number(count) };
}
