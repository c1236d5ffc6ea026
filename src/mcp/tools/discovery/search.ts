import { z } from "zod";
import type { Output } from "../../../contract/route.ts";
import { searchIssues } from "../../../contract/search.ts";
import { firstRows, roomFor } from "../../budget.ts";
import * as inputs from "../../inputs.ts";
import { IssueSummary, scopePair as ScopePair } from "../../objects.ts";
import type { Project } from "../../scope.ts";
import { tool } from "../../tool.ts";
import { SUMMARY_FIELDS, scopePair, summaryOf } from "../../views.ts";

type Answer = Output<typeof searchIssues>;

/** One search asks at most this many projects at the same time (facts mcp 4.2). */
const MAX_ASKED = 8;

export const search = tool({
  name: "svc.search",
  title: "Search issues",
  description:
    "Issues by words in title, body and comments, best first. Search before you create. If truncated, give a limit or more words. Scores of several projects cannot be compared.",
  hints: "+-++",
  input: z.strictObject({
    query: z
      .string()
      .min(1)
      .max(4096)
      .describe("words, a name from code, or the id an issue had in another tracker"),
    project: inputs.onlyProject,
    mode: z.enum(["auto", "lexical", "hybrid", "semantic"]).optional().describe("default auto"),
    limit: inputs.limit,
    labels: inputs.labels,
    exclude_labels: inputs.excludeLabels,
  }),
  output: z.strictObject({
    ...ScopePair,
    query: z.string(),
    mode: z.enum(["lexical", "hybrid", "semantic", "mixed"]),
    degraded: z.boolean(),
    degraded_reason: z.string().optional(),
    results: z.array(
      z.strictObject({ issue: IssueSummary, score: z.number(), matched_in: z.array(z.string()) }),
    ),
    truncated: z.boolean(),
  }),
  async run({ query, project: name, mode, limit, labels, exclude_labels }, { scope, call }) {
    const projects = await scope.chosen(name);
    const { rows: most } = roomFor(limit);
    const answers = await eachOf(projects, async ({ id }) => {
      const filters = { q: query, mode, label: labels, exclude_label: exclude_labels };
      const asked = { ...filters, limit: most + 1, fields: SUMMARY_FIELDS };
      return await call(searchIssues, { params: { project_id: id }, query: asked });
    });
    const found = interleaved(answers.map(({ results }) => results));
    const issues = found.slice(0, most).map(({ issue }) => issue);
    const pair = scopePair(projects, scope.isBound || name !== undefined, issues);
    const rows = found.map(({ issue, score, matched_in }) => {
      return { issue: summaryOf(issue, scope), score, matched_in: [...matched_in] };
    });
    const echoed = query.slice(0, MAX_ECHO_CHARACTERS);
    const results = firstRows(rows, roomFor(limit, { pair, echoed }));
    const reason = answers.find((answer) => answer.degraded_reason !== undefined)?.degraded_reason;
    return {
      ...pair,
      query: echoed,
      mode: commonMode(answers),
      degraded: answers.some(({ degraded }) => degraded === true),
      ...(reason === undefined ? {} : { degraded_reason: reason }),
      results: [...results],
      truncated: results.length < found.length,
    };
  },
});

/** The answer repeats only this many characters of the query. */
const MAX_ECHO_CHARACTERS = 200;

function commonMode(answers: readonly Answer[]): Answer["mode"] | "mixed" {
  const modes = new Set(answers.map(({ mode }) => mode));
  const [only = "lexical"] = modes;
  return modes.size > 1 ? "mixed" : only;
}

/**
 * Returns the first item of each list, then the second of each, and so on. The results of projects are mixed like this
 * because their scores cannot be compared.
 */
function interleaved<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat();
}

/**
 * Calls `ask` for each project, at most `MAX_ASKED` at the same time. Returns the answers in the order of the projects.
 */
async function eachOf<T>(
  projects: readonly Project[],
  ask: (project: Project) => Promise<T>,
): Promise<readonly T[]> {
  const answers: T[] = [];
  for (let at = 0; at < projects.length; at += MAX_ASKED)
    answers.push(...(await Promise.all(projects.slice(at, at + MAX_ASKED).map(ask))));
  return answers;
}
