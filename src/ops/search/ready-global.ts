import type { readyIssuesGlobal as contract } from "../../contract/search.ts";
import type { StreamOp } from "../deps.ts";
import { issueFilter } from "../issues/filter.ts";
import { issueRows } from "../issues/rows.ts";
import { globalIssuesOut } from "../out/issues.ts";
import { listPastOfAll } from "../past/list.ts";
import { orderOut } from "./ready.ts";

export const readyIssuesGlobal: StreamOp<typeof contract> = async (deps, _who, { query }) => {
  const filter = issueFilter(query);
  const which = { containers: query.containers === true, order: query.order };
  const order = orderOut(query);
  if (query.at !== undefined)
    return {
      ...(await listPastOfAll(deps, query.at, async () => {
        return { filter, order: "recent", ready: which };
      })),
      ...order,
    };
  return await deps.store.read(async (reader) => {
    const ready = { now: deps.clock.now(), ...which };
    const list = { filter, order: "recent", ready } as const;
    return {
      issues: await issueRows(deps, reader, list, async (issues) =>
        globalIssuesOut(reader, issues),
      ),
      ...order,
    };
  });
};
