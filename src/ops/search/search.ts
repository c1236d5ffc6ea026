import { SvcError } from "../../contract/errors.ts";
import { SEARCH_DEFAULT_LIMIT, SEARCH_MAX_LIMIT } from "../../contract/limits.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { searchIssues as contract } from "../../contract/search.ts";
import type { Deps, Principal } from "../deps.ts";
import { requireProject } from "../find.ts";
import { lowered } from "../issues/filter.ts";
import { issuesOut } from "../out/issues.ts";

/** Lexical search. Without an embedding provider `auto` is lexical and the other modes are refused (facts search 2.1). */
export async function searchIssues(
  deps: Pick<Deps, "store">,
  _who: Principal,
  { params, query }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  return await deps.store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    if (query.mode === "hybrid" || query.mode === "semantic") {
      throw new SvcError(
        "validation",
        { field: "mode" },
        { message: `mode: ${query.mode} search is not configured on this daemon` },
      );
    }
    const hits = await reader.search.lexical({
      project_uid: project.uid,
      text: query.q,
      limit: boundedLimit(query.limit),
      include_deleted: query.include_deleted === true,
      labels: lowered(query.label),
      exclude_labels: lowered(query.exclude_label),
    });
    const issues = await issuesOut(
      reader,
      hits.map(({ issue }) => issue),
    );
    const results = hits.flatMap(({ score, matched_in }, at) => {
      const issue = issues[at];
      return issue === undefined ? [] : [{ issue, score, matched_in: [...matched_in] }];
    });
    return { query: query.q, mode: "lexical" as const, results };
  });
}

/** Absent, 0 and negative mean the default (facts search 2). */
function boundedLimit(asked: number | undefined): number {
  if (asked === undefined || asked <= 0) return SEARCH_DEFAULT_LIMIT;
  return Math.min(asked, SEARCH_MAX_LIMIT);
}
