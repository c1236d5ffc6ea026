import { z } from "zod";
import type { Output } from "../../../contract/route.ts";
import { searchIssues } from "../../../contract/search.ts";
import { interleaved } from "../../../shared/interleaved.ts";
import type { NamedProject } from "../../../shared/project-choice.ts";
import { askProjects } from "../../ask-projects.ts";
import { firstRows, roomFor } from "../../budget.ts";
import * as inputs from "../../inputs.ts";
import { cut, IssueSummary, scopePair as ScopePair } from "../../objects.ts";
import { READS, tool } from "../../tool.ts";
import { SUMMARY_FIELDS, scopePair, summaryOf } from "../../views.ts";

type Answer = Output<typeof searchIssues>;

export const search = tool({
  name: "svc.search",
  title: "Search issues",
  description:
    "Issues by words (title, body, comments) or meaning, best first. Search before you create. If truncated, set limit or add words; next_cursor leads to further projects. Scores of projects cannot be compared.",
  annotations: { ...READS, openWorldHint: true },
  input: z.strictObject({
    query: z
      .string()
      .min(1)
      .max(4096)
      .describe("words, a name from code, or the id an issue had in another tracker"),
    project: inputs.onlyProject,
    mode: z.enum(["auto", "lexical", "hybrid", "semantic"]).optional().describe("default auto"),
    limit: inputs.limit,
    cursor: inputs.cursorOf(256),
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
    ...cut,
  }),
  async run({ query, project: name, mode, limit, cursor = "", ...labelled }, { scope, call }) {
    const inReach = await scope.chosen(name);
    const projects = inReach.filter((project) => project.name > cursor);
    const { rows: most } = roomFor(limit);
    const filters = { mode, label: labelled.labels, exclude_label: labelled.exclude_labels };
    const fullQuery = { q: query, ...filters, limit: most + 1, fields: SUMMARY_FIELDS };
    const answers = await askProjects(
      projects,
      async (project) => {
        const params = { project_id: project.id };
        return { project, ...(await call(searchIssues, { params, query: fullQuery })) };
      },
      // The answer shows the first result of each project before the second result of any project. So if more projects
      // have a result than the answer has rows, further projects cannot add a row.
      (found) => found.filter(({ results }) => results.length > 0).length > most,
    );
    const found = interleaved(
      answers.map(({ project, results }) => results.map((result) => ({ ...result, project }))),
    );
    const isSingle = scope.isBound || name !== undefined;
    const issues = found.slice(0, most).map(({ issue }) => issue);
    const pair = scopePair(inReach, isSingle, issues);
    const rows = found.map(({ issue, score, matched_in }) => {
      return { issue: summaryOf(issue, scope), score, matched_in: [...matched_in] };
    });
    const echoed = query.slice(0, MAX_ECHO_CHARACTERS);
    const results = firstRows(rows, roomFor(limit, { pair, echoed }));
    const reason = answers.find((answer) => answer.degraded_reason !== undefined)?.degraded_reason;
    const next_cursor = nextAfter(projects, answers, found.slice(0, results.length));
    return {
      ...pair,
      query: echoed,
      mode: commonMode(answers),
      degraded: answers.some(({ degraded }) => degraded === true),
      ...(reason === undefined ? {} : { degraded_reason: reason }),
      results: [...results],
      truncated: results.length < found.length || next_cursor !== undefined,
      ...(next_cursor === undefined ? {} : { next_cursor }),
    };
  },
});

/** The answer repeats at most this many characters of the query. */
const MAX_ECHO_CHARACTERS = 200;

function commonMode(answers: readonly Answer[]): Answer["mode"] | "mixed" {
  const modes = new Set(answers.map(({ mode }) => mode));
  const [only = "lexical"] = modes;
  return modes.size > 1 ? "mixed" : only;
}

/**
 * Returns the cursor of the next page: the name of the project after which the next page continues, or `undefined` if
 * no project is left. The next page shows only projects of which this page shows no result. If this page shows only a
 * part of a project's results, no page shows the others.
 */
function nextAfter(
  projects: readonly NamedProject[],
  answers: readonly ProjectAnswer[],
  shown: readonly FoundIssue[],
): string | undefined {
  const names = new Set(shown.map(({ project }) => project.name));
  const hidden = answers.findIndex(
    ({ project, results }) => results.length > 0 && !names.has(project.name),
  );
  const end = hidden === -1 ? answers.length : hidden;
  return end < projects.length ? projects[end - 1]?.name : undefined;
}

interface ProjectAnswer extends Answer {
  readonly project: NamedProject;
}

type FoundIssue = Answer["results"][number] & { readonly project: NamedProject };
