import type { listIssues as contract } from "../../contract/issues.ts";
import type { StreamOp } from "../deps.ts";
import { issuesOut } from "../out/issues.ts";
import { answerList } from "./answer-list.ts";
import { issueFilter } from "./filter.ts";

export const listIssues: StreamOp<typeof contract> = async (deps, _who, { params, query }) =>
  await answerList(deps, query, {
    project_id: params.project_id,
    filter: issueFilter(query),
    order: "recent",
    out: issuesOut,
  });
