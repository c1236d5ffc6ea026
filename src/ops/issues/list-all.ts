import type { listAllIssues as contract } from "../../contract/issues.ts";
import type { StreamOp } from "../deps.ts";
import { globalIssuesOut } from "../out/issues.ts";
import { answerList } from "./answer-list.ts";
import { issueFilter } from "./filter.ts";

export const listAllIssues: StreamOp<typeof contract> = async (deps, _who, { query }) =>
  await answerList(deps, query, {
    project_id: query.project_id,
    filter: issueFilter(query),
    order: "created",
    out: globalIssuesOut,
  });
