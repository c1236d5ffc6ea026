import type { Input, Output } from "../../contract/route.ts";
import type { readyIssuesGlobal as contract } from "../../contract/search.ts";
import type { Principal, ReadDeps } from "../deps.ts";
import { issueFilter } from "../issues/filter.ts";
import { issueRows } from "../issues/rows.ts";
import { globalIssuesOut } from "../out/issues.ts";
import { listPastOfAll } from "../past/list.ts";
import type { Streamed } from "../streamed-rows.ts";
import { orderOut } from "./ready.ts";

export async function readyIssuesGlobal(
  deps: ReadDeps,
  _who: Principal,
  { query }: Input<typeof contract>,
): Promise<Streamed<Output<typeof contract>>> {
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
}
