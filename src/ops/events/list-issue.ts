import type { listIssueEvents as contract } from "../../contract/activity.ts";
import { EVENTS_DEFAULT_LIMIT, EVENTS_MAX_LIMIT } from "../../contract/limits.ts";
import { eventsToRead, eventsWithin } from "../budget.ts";
import type { ReadOp } from "../deps.ts";
import { requireIssue } from "../find.ts";
import { envelopesWithWinners, winnersFor } from "./overwritten.ts";

/**
 * Lists the events of one issue. After a purge, a reader of a project's feed must start over, but a reader of one issue
 * need not: a purge removes an issue together with all of its events.
 */
export const listIssueEvents: ReadOp<typeof contract> = async (deps, _who, { params, query }) =>
  await deps.store.read(async (reader) => {
    const { issue } = await requireIssue(reader, params, {
      deleted: query.include_deleted === true,
    });
    const after = query.after_id ?? 0;
    const limit = Math.min(query.limit ?? EVENTS_DEFAULT_LIMIT, EVENTS_MAX_LIMIT);
    const most = eventsToRead(query, limit);
    const page = await reader.events.ofIssue(issue.uid, after, most);
    const winners = await winnersFor(reader, issue, page, after === 0 && page.length < most);
    const events = await envelopesWithWinners(reader, page, winners);
    return eventsWithin(query, { events, next_after_id: page.at(-1)?.id ?? after }, limit);
  });
