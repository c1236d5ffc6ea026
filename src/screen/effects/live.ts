import type { Clock } from "../../base/clock.ts";
import { parseExact } from "../../base/json.ts";
import type { FollowOptions } from "../../shared/follow.ts";
import type { FollowItem, LogCursor, StreamedEvent } from "../../shared/follow-state.ts";
import { readLogPage } from "../../shared/log-page.ts";
import type { Transport } from "../../shared/transport.ts";
import type { Message } from "../message.ts";
import type { ChangedIssues } from "./changed-issues.ts";
import { isCallerRefused, isForbidden, textOf } from "./failures.ts";
import { Fallback } from "./fallback.ts";
import type { InterruptibleSleep } from "./interruptible-sleep.ts";
import { liveEventOf } from "./live-event.ts";
import { Silence } from "./silence.ts";

/** Follows the daemon's events, across restarts of the daemon. */
export type EventStream = (options: FollowOptions) => AsyncIterable<FollowItem>;

export interface LiveOptions {
  readonly daemon: Transport<"pollEvents">;
  readonly stream: EventStream;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly after: LogCursor;
  /** Waits before a retry; `cut` ends all waits. */
  readonly pause: Pick<InterruptibleSleep, "sleep" | "cut" | "untilCut">;
  dispatch(message: Message): void;
  readonly changed: ChangedIssues;
  /** Waits until somebody sees the screen. Until then the log is not asked for. */
  readonly shown?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /**
   * Reads everything again, because the event log was reset. `isOlder` is true if the log now ends before the last
   * event that was read. In that case an older copy of the database was restored.
   */
  reload(isOlder: boolean): void;
}

/** The longest delay between attempts to connect: short, because a person is watching. */
const MAX_DELAY_MS = 2000;

/**
 * Follows the log while the screen is open, so that changes by others are read and drawn. If the daemon refuses the
 * caller, for example because its token was revoked, the log is followed again only when the person asks for it.
 */
export async function follow(options: LiveOptions): Promise<void> {
  const { signal, dispatch, pause } = options;
  const place: Place = { at: options.after };
  while (!signal.aborted) {
    try {
      return await streamOrAsk(options, place);
    } catch (error) {
      if (!isCallerRefused(error)) throw error;
      const text = textOf(error);
      dispatch({ type: "live", live: "refused", why: text });
      dispatch({ type: "failed", text });
      await pause.untilCut(signal);
    }
  }
}

/** How far the log was read. */
interface Place {
  at: LogCursor;
}

/**
 * Follows the event stream, and polls the log while there is no stream. Throws if the daemon does not accept the
 * caller.
 */
async function streamOrAsk(given: LiveOptions, place: Place): Promise<void> {
  const ended = new AbortController();
  const options = { ...given, signal: AbortSignal.any([given.signal, ended.signal]) };
  let said: string | undefined;
  const fallback = new Fallback({
    ...options,
    ask: async () => {
      const hasMore = await ask(options, place);
      said = undefined;
      return hasMore;
    },
    onUnanswered: (error) => {
      // Report each reason once, not every few seconds.
      const text = textOf(error);
      if (isForbidden(error) && text !== said) options.dispatch({ type: "failed", text });
      said = text;
    },
  });
  try {
    await Promise.race([followLog(options, place, fallback), fallback.refused]);
  } finally {
    ended.abort();
  }
}

async function followLog(options: LiveOptions, place: Place, fallback: Fallback): Promise<void> {
  const { signal, pause } = options;
  while (!signal.aborted) {
    try {
      await followStream(options, place, fallback);
    } catch (error) {
      if (isForbidden(error)) {
        fallback.tell("refused");
        return await fallback.refused;
      }
      // Any other refusal of a stream comes from a proxy. The next attempt may succeed.
      fallback.tell("lost");
      await pause.sleep(fallback.delayOf(MAX_DELAY_MS), signal);
    }
  }
}

async function followStream(options: LiveOptions, place: Place, fallback: Fallback): Promise<void> {
  const { clock, pause, signal, changed } = options;
  const silence = new Silence(options);
  const items = options.stream({
    after: place.at.cursor,
    log: place.at.log,
    hasAnswered: true,
    ...{ clock, signal },
    delays: { maxMs: MAX_DELAY_MS },
    place: () => place.at,
    pause: async (ms, until) => await pause.sleep(fallback.delayOf(ms), until),
    onOpen: () => silence.received(),
    onReceived: () => {
      fallback.tell("received");
      silence.received();
    },
    onEnd: () => silence.lost(),
    onRetry: () => fallback.tell("lost"),
  });
  for await (const item of items) {
    if (item.kind === "reset") {
      options.reload(item.after < place.at.cursor);
      place.at = { cursor: item.after };
    } else if (item.id > place.at.cursor) {
      // Events up to `place` are skipped: they have been read from the log while this stream was being opened.
      place.at = { cursor: item.id, log: item.log };
      changed.onEvent(liveEventOf(item.id, item.event, streamed(item.data)));
    }
  }
}

/** Reads the events after `place`. Returns true if there may be more events to read now. */
async function ask({ daemon, changed, reload }: LiveOptions, place: Place): Promise<boolean> {
  const { at } = place;
  const { events, resetAfter, next, isFull } = await readLogPage(daemon, at);
  // The stream has delivered something during this read, so the answer is dropped.
  if (place.at !== at) return false;
  if (resetAfter !== undefined) reload(resetAfter < at.cursor);
  for (const event of events) changed.onEvent(liveEventOf(event.event_id, event.type, event));
  place.at = next;
  return isFull;
}

function streamed(data: string): StreamedEvent {
  // The cast is safe: the daemon streams events.
  return parseExact(data) as unknown as StreamedEvent;
}
