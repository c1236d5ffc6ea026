import type { Clock } from "../src/base/clock.ts";
import { call } from "../src/client/call.ts";
import type { Client } from "../src/client/client.ts";
import { followEvents } from "../src/client/events.ts";
import { pollEvents } from "../src/contract/activity.ts";
import { isForbidden, textOf } from "../src/screen/effects/failures.ts";
import type { Pause } from "../src/screen/effects/pause.ts";
import type { LiveEvent, Message } from "../src/screen/step.ts";
import { describeEvent } from "../src/shared/event-text.ts";
import type { ChangedIssues } from "./changed-issues.ts";

export interface LiveOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly after: number;
  /** How everything waits that tries a daemon again. */
  readonly pause: Pick<Pause, "sleep" | "cut">;
  dispatch(message: Message): void;
  readonly changed: ChangedIssues;
  /** What was known is worth nothing any more: everything is read again. */
  reload(): void;
}

/** Characters of what an event says; a comment may be long. */
const MAX_TOLD = 200;
/** A connection that is back sooner than this is not worth a word. */
const PATIENCE_MS = 1500;

/** A person looks at the screen, and does not wait half a minute for a daemon that is back. */
const MAX_DELAY_MS = 2000;

/** So often the log is read where it cannot be followed. */
const POLL_MS = 5000;
const EVENTS_PER_POLL = 1000;

/** Follows the log for as long as the screen is open: what changed elsewhere is read again and drawn. */
export async function follow(options: LiveOptions): Promise<void> {
  const place = { after: options.after };
  try {
    await stream(options, place);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    await poll(options, place);
  }
}

/** The last event that was seen. */
interface Place {
  after: number;
}

async function stream(options: LiveOptions, place: Place): Promise<void> {
  const { client, clock, pause, signal, changed } = options;
  const { onOpen, onRetry } = connectionWords(options, "live");
  const items = followEvents(client, {
    after: place.after,
    known: true,
    revives: () => client.hasStarted,
    signal,
    clock,
    delays: { maxMs: MAX_DELAY_MS },
    pause: async (ms, until) => await pause.sleep(ms, until),
    onOpen,
    onRetry,
  });
  for await (const item of items) {
    if (item.kind === "reset") {
      place.after = item.after;
      options.reload();
    } else {
      place.after = item.id;
      changed.onEvent(eventOf(item.id, item.event, item.data));
    }
  }
}

/** Where the daemon lets nobody follow, its log is read again and again. */
async function poll(options: LiveOptions, place: Place): Promise<void> {
  const { client, pause, signal, dispatch, changed } = options;
  const { onOpen, onRetry } = connectionWords(options, "polling");
  let said: string | undefined;
  while (!signal.aborted) {
    try {
      const query = { after_id: place.after, limit: EVENTS_PER_POLL };
      const answer = await call(client, pollEvents, { query });
      onOpen();
      said = undefined;
      if (answer.reset_required) options.reload();
      for (const event of answer.events)
        changed.onEvent(eventOf(event.event_id, event.type, JSON.stringify(event)));
      place.after = answer.reset_after_id ?? answer.next_after_id;
      if (answer.events.length === EVENTS_PER_POLL) continue;
    } catch (error) {
      if (signal.aborted) return;
      onRetry();
      // The same reason every five seconds would bury all others.
      const text = textOf(error);
      if (isForbidden(error) && text !== said) dispatch({ type: "failed", text });
      said = text;
    }
    await pause.sleep(POLL_MS, signal);
  }
}

/** What the title says of the connection: how it is heard of changes, and when a broken one is worth a word. */
function connectionWords(
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

/** An event as the daemon sends it (facts http-api 5.2), and the issues that it may have changed. */
function eventOf(id: number, kind: string, data: string): LiveEvent {
  const event = JSON.parse(data) as {
    readonly actor: string;
    readonly created_at: string;
    readonly project_id: number;
    readonly issue_uid?: string;
    readonly related_issue_uid?: string;
    readonly payload: Readonly<Record<string, unknown>>;
  };
  const uids = [event.issue_uid, event.related_issue_uid, ...uidsIn(event.payload)].filter(
    (uid) => uid !== undefined,
  );
  const { actor, created_at: at, project_id, issue_uid: uid, payload } = event;
  const told = describeEvent({ type: kind, payload }).slice(0, MAX_TOLD);
  return { id, kind, actor, at, project_id, uid, uids, told };
}

/** Other ends of links stand in the payload, at different places for each kind. */
function uidsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return ULID.test(value) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(uidsIn);
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
