import type { showIssue as contract } from "../../contract/issues.ts";
import type { ReadOp } from "../deps.ts";
import { requireIssue } from "../find.ts";
import { showIssueOut } from "../out/show.ts";
import { showPast } from "../past/show.ts";

export const showIssue: ReadOp<typeof contract, "store" | "clock" | "settings"> = async (
  deps,
  _who,
  { params, query },
) => {
  const { at, include_deleted } = query;
  if (at !== undefined)
    return await showPast(deps, params, { at, deleted: include_deleted === true });
  return await deps.store.read(async (reader) => {
    const { issue } = await requireIssue(reader, params, {
      deleted: include_deleted === true,
    });
    return await showIssueOut(reader, issue, async () => await deps.store.leaseNow());
  });
};
