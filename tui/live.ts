import type { Clock } from "../src/base/clock.ts";
import type { Client } from "../src/client/client.ts";
import { followEvents } from "../src/client/events.ts";
import { whatHappened } from "../src/domain/told.ts";
import { textOf } from "./failures.ts";
import type { LiveEvent, Message } from "./state/step.ts";

export interface LiveOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly after: number;
  dispatch(message: Message): void;
  /** Reads the issues again, and gives what the screen is to be told of them. */
  read(uids: readonly string[]): Promise<readonly Message[]>;
  /** What was known is worth nothing any more: everything is read again. */
  reload(): void;
}

/** Changes are drawn together when they come faster than this. */
const COALESCE_MS = 100;
/** Characters of what an event says; a comment may be long. */
const MAX_TOLD = 200;
/** A connection that is back sooner than this is not worth a word. */
const PATIENCE_MS = 1500;

/** Follows the log for as long as the screen is open: what changed elsewhere is read again and drawn. */
export async function follow(options: LiveOptions): Promise<void> {
  const { client, clock, signal, dispatch } = options;
  const pending = new Pending(options);
  let broken: AbortController | undefined;
  const onOpen = (): void => {
    broken?.abort();
    broken = undefined;
    dispatch({ type: "live", live: "live" });
  };
  const onRetry = (): void => {
    if (broken !== undefined) return;
    const mine = (broken = new AbortController());
    void clock.sleep(PATIENCE_MS, AbortSignal.any([mine.signal, signal])).then(() => {
      if (!mine.signal.aborted && !signal.aborted) dispatch({ type: "live", live: "reconnecting" });
    });
  };
  const stream = followEvents(client, { after: options.after, signal, onOpen, onRetry, clock });
  for await (const item of stream) {
    if (item.kind === "reset") options.reload();
    else if (item.kind === "event") pending.add(eventOf(item.id, item.event, item.data));
  }
}

/** Events that are waited with, so that a burst of them costs one reading and one picture. */
class Pending {
  readonly #options: LiveOptions;
  #events: LiveEvent[] = [];
  #waiting = false;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  add(event: LiveEvent): void {
    this.#events.push(event);
    if (!this.#waiting) void this.#flush();
  }

  /** At once after a pause, and then at most every tenth of a second. */
  async #flush(): Promise<void> {
    const { clock, signal, dispatch } = this.#options;
    this.#waiting = true;
    try {
      while (this.#events.length > 0 && !signal.aborted) {
        const events = this.#events;
        this.#events = [];
        await this.#tell(events);
        await clock.sleep(COALESCE_MS, signal);
      }
    } catch (error) {
      if (!signal.aborted) dispatch({ type: "failed", text: textOf(error) });
    } finally {
      this.#waiting = false;
    }
  }

  /** What happened and what became of it are one picture. */
  async #tell(events: readonly LiveEvent[]): Promise<void> {
    const { dispatch, read } = this.#options;
    let found: readonly Message[] = [];
    try {
      found = await read([...new Set(events.flatMap(({ uids }) => uids))]);
    } finally {
      dispatch({ type: "events", events });
      for (const message of found) dispatch(message);
    }
  }
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
  const told = whatHappened({ type: kind, payload }).slice(0, MAX_TOLD);
  return { id, kind, actor, at, project_id, uid, uids, told };
}

/** Other ends of links stand in the payload, at different places for each kind. */
function uidsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return ULID.test(value) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(uidsIn);
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
