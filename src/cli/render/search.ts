import type { Output } from "../../contract/route.ts";
import type { searchIssues } from "../../contract/search.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output.ts";
import { padEnd, padStart } from "./width.ts";

type SearchResult = Output<typeof searchIssues>;

const EXCERPT = 160;

export const searchView: View<SearchResult> = {
  human: (found, { paint }) => {
    const rows = found.results.map(({ issue, score, matched_in }) => {
      const id = paint("id", issue.short_id) + padEnd("", 4 - issue.short_id.length);
      const points = padStart(score.toFixed(found.mode === "lexical" ? 2 : 4), 6);
      return `${id}  ${points}  ${padEnd(issue.status, 6)}  ${oneLine(issue.title)} ${paint("faint", `(${matched_in.join(", ")})`)}`;
    });
    return [...modeNote(found), ...(rows.length === 0 ? ["no matches"] : rows)].join("\n");
  },
  agent: ({ query, mode, degraded, degraded_reason: reason, results }, quiet) => {
    const rows = results.map(({ issue, score, matched_in }) => {
      const { short_id, status, title, owner, priority, revision } = issue;
      const excerpt = excerptOf(issue.body);
      return row({
        issue: short_id,
        score: score.toFixed(4),
        status,
        matched: matched_in,
        title,
        owner,
        priority,
        revision,
        excerpt,
      });
    });
    const fallen = degraded === true ? { degraded: reason ?? "" } : {};
    const head = header("search", { count: results.length, query, mode, ...fallen });
    return agentOutput(head, rows, quiet);
  },
};

function modeNote({ mode, degraded, degraded_reason }: SearchResult): readonly string[] {
  if (mode === "lexical" && degraded !== true) return [];
  return [
    `# mode=${mode}${degraded === true ? ` degraded: ${oneLine(degraded_reason ?? "")}` : ""}`,
  ];
}

function excerptOf(body: string): string | undefined {
  const text = oneLine(body.trim().replace(/\s+/g, " "));
  if (text === "") return undefined;
  return [...text].length <= EXCERPT ? text : `${[...text].slice(0, EXCERPT - 1).join("")}…`;
}
