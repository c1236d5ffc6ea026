import type { listIssueEvents as contract } from "../../contract/activity.ts";
import { EVENTS_DEFAULT_LIMIT, EVENTS_MAX_LIMIT } from "../../contract/limits.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Principal, ReadDeps } from "../deps.ts";
import { requireIssue } from "../find.ts";
import { envelopesOut } from "../out/events.ts";

/** One issue's own slice of the log. What a purge took is in no slice, so a cursor never has to start anew. */
export async function listIssueEvents(
  deps: Pick<ReadDeps, "store">,
  _who: Principal,
  { params, query }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  return await deps.store.read(async (reader) => {
    const { issue } = await requireIssue(reader, params, {
      deleted: query.include_deleted === true,
    });
    const after = query.after_id ?? 0;
    const limit = Math.min(query.limit ?? EVENTS_DEFAULT_LIMIT, EVENTS_MAX_LIMIT);
    const page = await reader.events.ofIssue(issue.uid, after, limit);
    const events = await envelopesOut(reader, page);
    return { events, next_after_id: page.at(-1)?.id ?? after };
  });
}
