import { type Clock, systemClock } from "../base/clock.ts";
import { SvcError } from "../contract/errors.ts";
import { instance } from "../contract/health.ts";
import { ForeignError, UnavailableError } from "../shared/answer-errors.ts";
import type { FollowItem, LogCursor, StreamedEvent } from "../shared/follow-state.ts";
import { sleepUntilAnnounced } from "./announced.ts";
import { call } from "./call.ts";
import type { Client } from "./client.ts";
import { type EventQuery, followEvents } from "./events.ts";

/** The issues with events since the last check, or `"all"` if any may have changed. */
export type WaitNews = "all" | ReadonlySet<string>;

export interface ConditionCheck<T> {
  readonly done?: T | undefined;
  /** The events that can change the result. */
  readonly filter: EventQuery;
  /** Milliseconds after which the result can change without an event. */
  readonly againInMs?: number | undefined;
}

export interface WaitOptions<T> {
  check(news: WaitNews): Promise<ConditionCheck<T>>;
  readonly signal: AbortSignal;
  /** Milliseconds until the next check after a failed check, and between all checks if the daemon refuses a stream. */
  readonly pollMs: number;
  /** Called before each attempt to reach a daemon that is gone. */
  readonly onRetry?: (delayMs: number) => void;
  readonly clock?: Clock;
}

/** The first attempt to reconnect comes early, because a daemon that restarts is back within a fraction of a second. */
const FIRST_DELAY_MS = 20;
const MAX_SLEEP_MS = 86_400_000;

/**
 * Checks a condition again after each relevant event, until the condition is met. No event is missed, because the
 * stream starts after the last event before the first check, and goes on after restarts.
 */
export async function waitUntil<T>(
  client: Client,
  options: WaitOptions<T>,
): Promise<T | undefined> {
  const { signal, clock = systemClock, pollMs } = options;
  let place = await logEnd(client);
  let found: LastCheck<T> = await options.check("all");
  let watch: Watch | undefined;
  let streams = true;
  try {
    while (found.done === undefined && !signal.aborted) {
      if (streams && watch?.key !== keyOf(found.filter)) {
        watch?.close();
        watch = new Watch(client, found.filter, place, options);
      }
      const inMs = streams ? found.againInMs : pollMs;
      await clock.sleep(
        Math.min(inMs ?? MAX_SLEEP_MS, MAX_SLEEP_MS),
        watch === undefined ? signal : AbortSignal.any([signal, watch.woken]),
      );
      if (signal.aborted) break;
      const fault = watch?.fault;
      if (fault !== undefined && !isGone(fault.error)) {
        if (!refusesStreams(fault.error)) throw fault.error;
        streams = false;
        watch = undefined;
      }
      const fresh = watch?.take() ?? "all";
      const news = found.failed === true ? "all" : fresh;
      place = watch?.place ?? place;
      const again = await orAborted(checkAgain(options, news, found), signal);
      if (again === undefined) break;
      // The stream was refused because its filter names something that is gone. If the check returns the same filter
      // again, this would repeat for ever, so the error is thrown.
      const same = again.done === undefined && keyOf(again.filter) === watch?.key;
      if (fault !== undefined && same) throw fault.error;
      if (fault !== undefined) watch = undefined;
      found = again;
    }
    return found.done;
  } finally {
    watch?.close();
  }
}

async function logEnd(client: Client): Promise<LogCursor> {
  const { last_event_id, epoch, chain, version } = await call(client, instance, {});
  // A remote daemon may be too old to report the id of its last event, or its log.
  const log = epoch === undefined ? undefined : { epoch, chain };
  if (Number.isInteger(last_event_id)) return { cursor: last_event_id, log };
  throw new UnavailableError(`the daemon is ${version}, which nobody can wait for`, {
    code: "daemon_api_too_old",
    hint: "update the daemon",
  });
}

/** Checks the condition. If no daemon is found, the check is repeated after `pollMs` or when the stream is back. */
async function checkAgain<T>(
  { check, pollMs }: WaitOptions<T>,
  news: WaitNews,
  before: ConditionCheck<T>,
): Promise<LastCheck<T>> {
  try {
    return await check(news);
  } catch (error) {
    if (!isTransient(error)) throw error;
    return { ...before, againInMs: pollMs, failed: true };
  }
}

/**
 * `failed` is true if no daemon was found. The list of changed issues for this check is then lost, so the next check
 * looks at all issues.
 */
interface LastCheck<T> extends ConditionCheck<T> {
  readonly failed?: boolean;
}

/** Follows the event stream with one filter, and collects which issues have changed since the last call of `take`. */
class Watch {
  readonly key: string;
  /** The event up to which `take` has returned changes. The next stream starts after this event. */
  place: LogCursor;
  fault: { readonly error: unknown } | undefined;
  #reached: LogCursor;
  #news: WaitNews = new Set();
  #wake = new AbortController();
  readonly #closed = new AbortController();

  constructor(client: Client, filter: EventQuery, after: LogCursor, options: WaitOptions<unknown>) {
    this.key = keyOf(filter);
    this.place = after;
    this.#reached = after;
    void this.#follow(client, filter, options);
  }

  /** Aborted as soon as `take` has something to return. */
  get woken(): AbortSignal {
    return this.#wake.signal;
  }

  take(): WaitNews {
    const news = this.#news;
    this.place = this.#reached;
    this.#news = new Set();
    this.#wake = new AbortController();
    return news;
  }

  close(): void {
    this.#closed.abort();
  }

  async #follow(
    client: Client,
    filter: EventQuery,
    { signal, clock = systemClock, onRetry }: WaitOptions<unknown>,
  ): Promise<void> {
    let opened = 0;
    try {
      const items = followEvents(client, {
        after: this.place.cursor,
        log: this.place.log,
        filter,
        signal: AbortSignal.any([signal, this.#closed.signal]),
        hasAnswered: true,
        delays: { firstMs: FIRST_DELAY_MS },
        pause: async (ms, until) => await sleepUntilAnnounced(client, clock, ms, until),
        // After a restart the daemon may serve another event log, in which the cursor has no meaning. So the next check
        // looks at all issues.
        onOpen: () => ++opened > 1 && this.#addNews("all"),
        ...(onRetry === undefined ? {} : { onRetry }),
        clock,
      });
      for await (const item of items) {
        this.#reached =
          item.kind === "event" ? { cursor: item.id, log: item.log } : { cursor: item.after };
        this.#addNews(newsOf(item));
      }
    } catch (error) {
      this.fault = { error };
      this.#addNews("all");
    }
  }

  #addNews(news: WaitNews): void {
    this.#news = this.#news === "all" || news === "all" ? "all" : new Set([...this.#news, ...news]);
    this.#wake.abort();
  }
}

/**
 * Returns the issues that an event names. Returns `"all"` if the event names no issue, because it may then concern any
 * issue.
 */
function newsOf(item: FollowItem): WaitNews {
  if (item.kind === "reset") return "all";
  const { issue_uid, related_issue_uid } = JSON.parse(item.data) as StreamedEvent;
  if (issue_uid === undefined) return "all";
  return new Set(related_issue_uid === undefined ? [issue_uid] : [issue_uid, related_issue_uid]);
}

function keyOf(filter: EventQuery): string {
  return JSON.stringify(filter);
}

/** Whether the stream was refused because its filter names something that no longer exists. */
function isGone(error: unknown): boolean {
  return (
    error instanceof SvcError &&
    (error.code === "issue_not_found" || error.code === "project_not_found")
  );
}

/**
 * Whether the daemon offers no streams, because it is read-only or too old to offer streams
 * (docs/contract/http-api.md#54-the-stream).
 */
function refusesStreams(error: unknown): boolean {
  const refused = error instanceof SvcError || error instanceof ForeignError;
  return refused && [401, 403, 404, 405].includes(error.status);
}

/** Whether the error may be over in a moment: the daemon cannot be reached, or is stopping. */
export function isTransient(error: unknown): boolean {
  if (error instanceof UnavailableError) return error.code === "daemon_unavailable";
  return error instanceof SvcError && error.code === "daemon_stopping";
}

/** The result of `work`, or `undefined` if the signal is aborted first. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return await new Promise<T | undefined>((resolve, reject) => {
    const stop = (): void => resolve(undefined);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
