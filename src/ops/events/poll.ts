import type { pollEvents as contract } from "../../contract/activity.ts";
import { EVENTS_DEFAULT_LIMIT, EVENTS_MAX_LIMIT } from "../../contract/limits.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Reader } from "../../store/types.ts";
import type { Deps, Principal } from "../deps.ts";
import { envelopesOut } from "../out/events.ts";

export async function pollEvents(
  deps: Pick<Deps, "store">,
  _who: Principal,
  { query }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  return await deps.store.read(async (reader) => await pollPage(reader, query));
}

/** One page after the cursor; a cursor from before a purge must start anew (facts http-api 5.3). */
export async function pollPage(
  reader: Reader,
  query: Input<typeof contract>["query"],
  projectUid?: string,
): Promise<Output<typeof contract>> {
  const after = query.after_id ?? 0;
  const reset = await reader.events.resetAfter(projectUid);
  if (after < reset) {
    return { reset_required: true, reset_after_id: reset, events: [], next_after_id: reset };
  }
  const limit = Math.min(query.limit ?? EVENTS_DEFAULT_LIMIT, EVENTS_MAX_LIMIT);
  const page = await reader.events.after(after, limit, projectUid);
  const events = await envelopesOut(reader, page);
  return { reset_required: false, events, next_after_id: page.at(-1)?.id ?? after };
}
