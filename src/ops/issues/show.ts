import type { showIssue as contract } from "../../contract/issues.ts";
import { readComments } from "../comments/page.ts";
import type { ReadOp } from "../deps.ts";
import { overwrittenOf } from "../events/overwritten.ts";
import { namesakesOf, requireIssue } from "../find.ts";
import { requestsOn } from "../inbox/askers.ts";
import { hubLeaseOut } from "../leases/known-at-hub.ts";
import { boundedShow } from "../out/bounded-show.ts";
import { showIssueOut } from "../out/show.ts";
import { showPast } from "../past/show.ts";

export const showIssue: ReadOp<typeof contract, "store" | "clock" | "settings"> = async (
  deps,
  _who,
  { params, query },
) => {
  const { at, max_bytes } = query;
  const deleted = query.include_deleted === true;
  if (at !== undefined)
    return boundedShow(await showPast(deps, params, { at, deleted, comments: query }), max_bytes);
  return await deps.store.read(async (reader) => {
    const found = await requireIssue(reader, params, { deleted });
    const { issue } = found;
    const namesakes = await namesakesOf(reader, found, params.ref);
    const shown = await showIssueOut(reader, issue, {
      comments: async () => await readComments(reader.comments, issue.uid, query),
      leaseNow: async () => await deps.store.leaseNow(),
      close: async () => (await reader.events.latestOf([issue.uid], "issue.closed")).at(-1),
      requests: async () => await requestsOn(reader, issue),
    });
    const all = {
      ...shown,
      ...(await hubLeaseOut(reader, deps.store, issue, shown.lease !== undefined)),
      ...(namesakes.length === 0 ? {} : { namesakes: [...namesakes] }),
      ...(await overwrittenOf(reader, issue)),
    };
    return boundedShow(all, max_bytes);
  });
};
