import type { Input } from "../../contract/route.ts";
import type { readyIssues as contract } from "../../contract/search.ts";
import type { StreamOp } from "../deps.ts";
import { requireProject } from "../find.ts";
import { issueFilter } from "../issues/filter.ts";
import { issueRows } from "../issues/rows.ts";
import { issuesOut } from "../out/issues.ts";
import { listPast } from "../past/list.ts";

/**
 * Lists issues that can be worked on now (docs/architecture.md, Readiness), last changed first unless asked otherwise.
 */
export const readyIssues: StreamOp<typeof contract> = async (deps, _who, { params, query }) => {
  const filter = issueFilter(query);
  const which = { containers: query.containers === true, order: query.order };
  const order = orderOut(query);
  if (query.at !== undefined)
    return {
      ...(await listPast(deps, query.at, async (reader) => {
        const project = await requireProject(reader, params.project_id);
        const scoped = { ...filter, project_uid: project.uid };
        return { filter: scoped, order: "recent", ready: which };
      })),
      ...order,
    };
  return await deps.store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    const scoped = { ...filter, project_uid: project.uid };
    const ready = { now: deps.clock.now(), ...which };
    const list = { filter: scoped, order: "recent", ready } as const;
    return {
      issues: await issueRows(deps, reader, list, async (issues) => issuesOut(reader, issues)),
      ...order,
    };
  });
};

/** Repeats the requested order in the answer, which an older daemon without orders does not. */
export function orderOut({ order }: Input<typeof contract>["query"]) {
  return order === undefined ? {} : { order };
}
