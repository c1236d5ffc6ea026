import type { Clock } from "../../base/clock.ts";
import type { pollEvents } from "../../contract/activity.ts";
import { LOG_HEADER, type LogMark, logMarkText } from "../../contract/log-mark.ts";
import type { Output } from "../../contract/route.ts";
import { describeEvent } from "../../shared/event-text.ts";
import type { FollowOptions } from "../../shared/follow.ts";
import type { FollowItem, LogCursor, StreamedEvent } from "../../shared/follow-state.ts";
import type { Transport } from "../../shared/transport.ts";
import type { LiveEvent, Message } from "../message.ts";
import type { ChangedIssues } from "./changed-issues.ts";
import { isCallerRefused, isForbidden, textOf } from "./failures.ts";
import type { InterruptibleSleep } from "./interruptible-sleep.ts";
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
  /**
   * Reads everything again, because the event log was reset. `isOlder` is true if the log now ends before the last event
   * that was read: an older copy of the database was restored.
   */
  reload(isOlder: boolean): void;
}

type Polled = Output<typeof pollEvents>;

/** An event's description may contain a long comment, so it is cut to this many characters. */
const MAX_TEXT = 200;
/** A lost connection is reported only if it is not back within this time. */
const PATIENCE_MS = 1500;

/** The longest delay between attempts to connect: short, because a person is watching. */
const MAX_DELAY_MS = 2000;

const POLL_MS = 5000;
const EVENTS_PER_POLL = 1000;

/**
 * Follows the log while the screen is open, so that changes by others are read and drawn. If the daemon refuses the
 * caller, for example because its token was revoked, the log is followed again only when the person asks for it.
 */
export async function follow(options: LiveOptions): Promise<void> {
  const { signal, dispatch, pause } = options;
  const place: Place = { at: options.after };
  while (!signal.aborted) {
    try {
      return await streamOrPoll(options, place);
    } catch (error) {
      if (!isCallerRefused(error)) throw error;
      const text = textOf(error);
      dispatch({ type: "live", live: "refused", why: text });
      dispatch({ type: "failed", text });
      await pause.untilCut(signal);
    }
  }
}

async function streamOrPoll(options: LiveOptions, place: Place): Promise<void> {
  try {
    await followLog(options, place);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    await poll(options, place);
  }
}

/** How far the log was read. */
interface Place {
  at: LogCursor;
}

async function followLog(options: LiveOptions, place: Place): Promise<void> {
  const { clock, pause, signal, changed } = options;
  const reporter = connectionReporter(options, "live");
  const silence = new Silence(options);
  const items = options.stream({
    after: place.at.cursor,
    log: place.at.log,
    hasAnswered: true,
    ...{ clock, signal },
    delays: { maxMs: MAX_DELAY_MS },
    pause: async (ms, until) => await pause.sleep(ms, until),
    onOpen: () => {
      reporter.onOpen();
      silence.received();
    },
    onReceived: () => silence.received(),
    onEnd: () => silence.lost(),
    onRetry: reporter.onRetry,
  });
  for await (const item of items) {
    if (item.kind === "reset") {
      options.reload(item.after < place.at.cursor);
      place.at = { cursor: item.after };
    } else {
      place.at = { cursor: item.id, log: item.log };
      changed.onEvent(eventOf(item.id, item.event, item.data));
    }
  }
}

/** Polls the event log of a daemon that refuses event streams. Throws if the daemon does not accept the caller. */
async function poll(options: LiveOptions, place: Place): Promise<void> {
  const { daemon, pause, signal, dispatch, changed } = options;
  const { onOpen, onRetry } = connectionReporter(options, "polling");
  let said: string | undefined;
  while (!signal.aborted) {
    try {
      const { cursor, log } = place.at;
      const query = { after_id: cursor, limit: EVENTS_PER_POLL };
      const headers = log === undefined ? {} : { [LOG_HEADER.toLowerCase()]: logMarkText(log) };
      const answer = await daemon.call("pollEvents", { query, headers });
      onOpen();
      said = undefined;
      const next = answer.reset_after_id ?? answer.next_after_id;
      if (answer.reset_required) options.reload(next < cursor);
      for (const event of answer.events)
        changed.onEvent(eventOf(event.event_id, event.type, JSON.stringify(event)));
      place.at = { cursor: next, log: logAfter(answer, log) };
      if (answer.events.length === EVENTS_PER_POLL) continue;
    } catch (error) {
      if (signal.aborted) return;
      if (isCallerRefused(error)) throw error;
      onRetry();
      // Report each reason once, not every five seconds.
      const text = textOf(error);
      if (isForbidden(error) && text !== said) dispatch({ type: "failed", text });
      said = text;
    }
    await pause.sleep(POLL_MS, signal);
  }
}

/** Names the log up to the end of a page of a poll. A page without events ends where the one before ended. */
function logAfter(
  { epoch, events, reset_required }: Polled,
  before: LogMark | undefined,
): LogMark | undefined {
  if (epoch === undefined) return undefined;
  if (events.length === 0 && !reset_required) return before ?? { epoch };
  return { epoch, chain: events.at(-1)?.chain };
}

/** Callbacks that tell the screen whether the connection is open or has been broken for longer than PATIENCE_MS. */
function connectionReporter(
  { clock, signal, dispatch, pause }: LiveOptions,
  live: "live" | "polling",
) {
  let isOpen = false;
  let broken: AbortController | undefined;
  return {
    onOpen: (): void => {
      if (isOpen) return;
      isOpen = true;
      broken?.abort();
      broken = undefined;
      dispatch({ type: "live", live });
      pause.cut();
    },
    onRetry: (): void => {
      isOpen = false;
      if (broken !== undefined) return;
      const mine = (broken = new AbortController());
      void clock.sleep(PATIENCE_MS, AbortSignal.any([mine.signal, signal])).then(() => {
        if (mine.signal.aborted || signal.aborted) return;
        dispatch({ type: "live", live: "reconnecting" });
      });
    },
  };
}

/** An event of the daemon (facts http-api 5.2), with the uids of the issues that it may have changed. */
function eventOf(id: number, kind: string, data: string): LiveEvent {
  const event = JSON.parse(data) as StreamedEvent;
  const uids = [event.issue_uid, event.related_issue_uid, ...uidsIn(event.payload)].filter(
    (uid) => uid !== undefined,
  );
  const { actor, created_at: at, project_id, issue_uid: uid, payload } = event;
  const description = describeEvent({ type: kind, payload }).slice(0, MAX_TEXT);
  return { id, kind, actor, at, project_id, uid, uids, description };
}

/**
 * Returns all uids in a payload, at any depth. Each kind of event has the uids of linked issues in a different place.
 */
function uidsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return ULID.test(value) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(uidsIn);
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
