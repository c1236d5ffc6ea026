import type { Output } from "../../contract/route.ts";
import type { searchIssues } from "../../contract/search.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { padEnd, padStart } from "./width.ts";

type SearchResult = Output<typeof searchIssues>;

const EXCERPT = 160;

export const searchView: View<SearchResult> = {
  human: (found, { paint }) => {
    const rows = found.results.map(({ issue, score, matched_in, matched }) => {
      const id = paint("id", issue.short_id) + padEnd("", 4 - issue.short_id.length);
      const points = padStart(score.toFixed(found.mode === "lexical" ? 2 : 4), 6);
      return `${id}  ${points}  ${padEnd(issue.status, 6)}  ${oneLine(issue.title)} ${paint("faint", `(${matchedText(matched_in, matched)})`)}`;
    });
    return [
      ...modeNote(found),
      ...widenedNote(found),
      ...(rows.length === 0 ? ["no matches"] : rows),
    ].join("\n");
  },
  agent: ({ query, mode, degraded, degraded_reason: reason, results, truncated }, quiet) => {
    const rows = results.map(({ issue, score, matched_in, matched, excerpt: place }) => {
      const { short_id, status, title, owner, priority, revision } = issue;
      const excerpt = place ?? excerptOf(issue.body);
      return row({
        issue: short_id,
        score: score.toFixed(4),
        status,
        matched: matched_in,
        by: matched === "words" ? undefined : matched,
        title,
        owner,
        priority,
        revision,
        excerpt,
      });
    });
    const fallen = degraded === true ? { degraded: reason ?? "" } : {};
    const head = header("search", { count: results.length, query, mode, ...fallen, truncated });
    return agentOutput(head, rows, quiet);
  },
  refs: ({ results }) => results.map(({ issue }) => issue),
};

function modeNote({ mode, degraded, degraded_reason }: SearchResult): readonly string[] {
  if (mode === "lexical" && degraded !== true) return [];
  return [
    `# mode=${mode}${degraded === true ? ` degraded: ${oneLine(degraded_reason ?? "")}` : ""}`,
  ];
}

type Matched = NonNullable<SearchResult["results"][number]["matched"]>;

/**
 * The word printed beside a hit, which says how the hit matched the query. A hit that contains all words gets no word.
 */
const BY: Readonly<Record<Matched, string | undefined>> = {
  id: "id",
  words: undefined,
  forms: "other forms",
  some: "some words",
  near: "similar words",
};

function matchedText(matched_in: readonly string[], matched: Matched | undefined): string {
  return [...matched_in, (matched && BY[matched]) ?? []].flat().join(", ");
}

const WIDENED: Readonly<Partial<Record<Matched, string>>> = {
  forms: "no issue has all of these words as typed; showing other forms of them",
  some: "no issue has all of these words; showing issues with some of them",
  near: "no issue has all of these words; showing words that differ by one letter",
};

/**
 * If no issue contains all words of the query, returns a note that says what was searched for instead. The `matched` of
 * the first hit shows this, because the best hits come first.
 */
function widenedNote({ results }: SearchResult): readonly string[] {
  const matched = results[0]?.matched;
  const note = matched === undefined ? undefined : WIDENED[matched];
  return note === undefined ? [] : [`# ${note}`];
}

function excerptOf(body: string): string | undefined {
  const text = oneLine(body.trim().replace(/\s+/g, " "));
  if (text === "") return undefined;
  return [...text].length <= EXCERPT ? text : `${[...text].slice(0, EXCERPT - 1).join("")}…`;
}
