import type { pollEvents } from "../contract/activity.ts";
import { LOG_HEADER, type LogMark, logMarkText } from "../contract/log-mark.ts";
import type { Output } from "../contract/route.ts";
import type { LogCursor } from "./follow-state.ts";
import type { Transport } from "./transport.ts";

export interface LogPage {
  readonly events: Output<typeof pollEvents>["events"];
  /** Set if the reader must read everything again: the id after which it then goes on reading events. */
  readonly resetAfter: number | undefined;
  /** Where the next page begins. */
  readonly next: LogCursor;
  readonly epoch: string | undefined;
  /** Whether the page is full, so that there may be further events. */
  readonly isFull: boolean;
}

const EVENTS_PER_PAGE = 1000;

/** Reads the events after a place of the log, up to a limit. */
export async function readLogPage(
  daemon: Transport<"pollEvents">,
  { cursor, log }: LogCursor,
): Promise<LogPage> {
  const answer = await daemon.call("pollEvents", {
    query: { after_id: cursor, limit: EVENTS_PER_PAGE },
    headers: log === undefined ? {} : { [LOG_HEADER.toLowerCase()]: logMarkText(log) },
  });
  const { epoch, events, reset_after_id, next_after_id } = answer;
  return {
    events,
    epoch,
    resetAfter: answer.reset_required ? (reset_after_id ?? next_after_id) : undefined,
    next: { cursor: reset_after_id ?? next_after_id, log: logAfter(answer, log) },
    isFull: events.length === EVENTS_PER_PAGE,
  };
}

/** Returns the mark of the log at the end of a page. A page without events does not change the mark. */
function logAfter(
  { epoch, events, reset_required }: Output<typeof pollEvents>,
  before: LogMark | undefined,
): LogMark | undefined {
  if (epoch === undefined) return undefined;
  if (events.length === 0 && !reset_required) return before ?? { epoch };
  return { epoch, chain: events.at(-1)?.chain };
}
