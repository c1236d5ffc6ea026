import type { Input } from "../../contract/route.ts";
import type { readyIssues as contract } from "../../contract/search.ts";
import type { StreamOp } from "../deps.ts";
import { answerList } from "../issues/answer-list.ts";
import { issueFilter } from "../issues/filter.ts";
import { issuesOut } from "../out/issues.ts";

/**
 * Lists issues that can be worked on now (docs/architecture.md, Readiness), last changed first unless asked otherwise.
 */
export const readyIssues: StreamOp<typeof contract> = async (deps, _who, { params, query }) => ({
  ...(await answerList(deps, query, {
    ...readyList(query),
    project_id: params.project_id,
    out: issuesOut,
  })),
  ...orderOut(query),
});

type Query = Input<typeof contract>["query"];

export function readyList(query: Query) {
  const ready = { containers: query.containers === true, order: query.order };
  return { filter: issueFilter(query), order: "recent", ready } as const;
}

/** Repeats the requested order in the answer, so that a client can recognize an older daemon, which ignores it. */
export function orderOut({ order }: Query) {
  return order === undefined ? {} : { order };
}
