import type { showIssue as contract } from "../../contract/issues.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Principal, ReadDeps } from "../deps.ts";
import { requireIssue } from "../find.ts";
import { showIssueOut } from "../out/show.ts";
import { showPast } from "../past/show.ts";

export async function showIssue(
  deps: Pick<ReadDeps, "store" | "clock" | "settings">,
  _who: Principal,
  { params, query }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const { at, include_deleted } = query;
  if (at !== undefined)
    return await showPast(deps, params, { at, deleted: include_deleted === true });
  return await deps.store.read(async (reader) => {
    const { issue } = await requireIssue(reader, params, {
      deleted: include_deleted === true,
    });
    return await showIssueOut(reader, issue, async () => await deps.store.leaseNow());
  });
}
