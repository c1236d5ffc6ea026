import type { Clock } from "../../src/base/clock.ts";
import { statusOf } from "../../src/screen/effects/failures.ts";
import type { FollowInput, LogCursor } from "../../src/shared/follow-state.ts";
import { type LogPage, readLogPage } from "../../src/shared/log-page.ts";
import type { Transport } from "../../src/shared/transport.ts";
import { aborted } from "./aborted.ts";
import type { Leadership, StreamProgress } from "./leadership.ts";

interface FollowDeps {
  readonly leadership: Pick<Leadership, "told" | "news">;
  readonly daemon: Transport<"pollEvents">;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The minimum time between two reads of the log, so that a burst of events causes few reads. */
const SPACING_MS = 300;

/**
 * Yields the events for a window that has no event stream of its own. Whenever the leader reports that there are more
 * events, the window reads on in the log from its own position. So it gets each event once, however far the leader has
 * read, and it gets only events that its own session may read. The connection counts as open while the leader's stream
 * is open.
 */
export async function* followedInputs(
  { leadership, daemon, clock, signal }: FollowDeps,
  from: LogCursor,
): AsyncGenerator<FollowInput, void, void> {
  let at = from;
  let isOpen = false;
  let pieces: number | undefined;
  while (!signal.aborted) {
    // Take the promise `news` before looking at the report `told`, so that the next report is not missed.
    const { news, told } = leadership;
    if (told?.isOpen !== true && isOpen) return yield { type: "closed" };
    if (told?.isOpen === true) {
      if (told.pieces !== pieces) {
        pieces = told.pieces;
        if (isOpen) yield { type: "heartbeat" };
      }
      if (!isOpen || isBehind(at, told)) {
        const page = await pageOf(daemon, at);
        if ("type" in page) return yield page;
        if (!isOpen) yield { type: "accepted", epoch: page.epoch };
        isOpen = true;
        yield* inputsIn(page);
        if (page.resetAfter !== undefined) return;
        at = page.next;
        if (page.isFull) continue;
        await clock.sleep(SPACING_MS, signal);
      }
    }
    await Promise.race([news, aborted(signal)]);
  }
}

function isBehind({ cursor, log }: LogCursor, told: StreamProgress): boolean {
  return told.cursor > cursor || told.epoch !== log?.epoch;
}

async function pageOf(
  daemon: Transport<"pollEvents">,
  at: LogCursor,
): Promise<LogPage | FollowInput> {
  try {
    return await readLogPage(daemon, at);
  } catch (error) {
    const status = statusOf(error);
    return status === 0 ? { type: "fault", error } : { type: "refused", status, error };
  }
}

function inputsIn({ events, resetAfter }: LogPage): readonly FollowInput[] {
  if (resetAfter !== undefined)
    return [{ type: "frame", id: resetAfter, event: "sync.reset_required", data: "{}" }];
  return [
    ...events.map((event): FollowInput => {
      const { event_id: id, type, chain } = event;
      return { type: "frame", id, event: type, data: JSON.stringify(event), chain };
    }),
    { type: "heartbeat" },
  ];
}
