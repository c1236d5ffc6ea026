import { SvcError } from "../../contract/errors.ts";
import type { Input } from "../../contract/route.ts";
import type { readyIssues as contract } from "../../contract/search.ts";
import type { StreamOp } from "../deps.ts";
import { answerList } from "../issues/answer-list.ts";
import { issueFilter } from "../issues/filter.ts";
import { issuesOut } from "../out/issues.ts";

/**
 * Lists issues that can be worked on now (docs/contract/http-api.md#62-readiness), last changed first unless asked
 * otherwise.
 */
export const readyIssues: StreamOp<typeof contract> = async (deps, _who, { params, query }) => ({
  ...(await answerList(deps, query, {
    ...(await readyList(deps, query)),
    project_id: params.project_id,
    out: issuesOut,
  })),
  ...orderOut(query),
});

type Query = Input<typeof contract>["query"];

export async function readyList(
  { store }: { readonly store: { leaseNow(): Promise<string> } },
  query: Query,
) {
  const { takeable_by: by, at, containers, order } = query;
  if (by !== undefined && at !== undefined)
    throw new SvcError("validation", {}, { message: "takeable_by and at exclude each other" });
  const takeable = by === undefined ? {} : { takeable: { by, now: await store.leaseNow() } };
  const ready = { containers: containers === true, order };
  return { filter: { ...issueFilter(query), ...takeable }, order: "recent", ready } as const;
}

/**
 * Repeats the requested order in the answer. An older daemon ignores the order and does not repeat it, so a client can
 * recognize such a daemon.
 */
export function orderOut({ order }: Query) {
  return order === undefined ? {} : { order };
}
