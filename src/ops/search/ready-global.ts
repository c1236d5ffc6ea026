import type { Input, Output } from "../../contract/route.ts";
import type { readyIssuesGlobal as contract } from "../../contract/search.ts";
import type { Deps, Principal } from "../deps.ts";
import { issueFilter } from "../issues/filter.ts";
import { globalIssuesOut } from "../out/issues.ts";

export async function readyIssuesGlobal(
  deps: Pick<Deps, "store" | "clock">,
  _who: Principal,
  { query }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const filter = issueFilter(query);
  return await deps.store.read(async (reader) => {
    const found = await reader.issues.ready(filter, deps.clock.now(), query.containers === true);
    return { issues: await globalIssuesOut(reader, found) };
  });
}
