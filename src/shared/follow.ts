import type { Clock } from "../base/clock.ts";
import { LOG_HEADER, type LogMark, logMarkText, parseLogMark } from "../contract/log-mark.ts";
import { UnavailableError } from "./answer-errors.ts";
import {
  DELAYS,
  type Delays,
  type FollowInput,
  type FollowItem,
  type FollowState,
  following,
  type LogCursor,
  next,
} from "./follow-state.ts";
import { SilenceWatch } from "./silence-watch.ts";
import type { Frame } from "./sse.ts";

/** A state with a cursor, which is the id of the event after which a connection continues. */
export type Connected = Extract<FollowState, { readonly cursor: number }>;

export interface FollowOptions {
  /** Only events after this id. */
  readonly after: number;
  /** The mark of the log at this event, from an earlier answer. */
  readonly log?: LogMark | undefined;
  readonly signal: AbortSignal;
  /** Called before each wait for a new connection. */
  readonly onRetry?: (delayMs: number, reason: unknown) => void;
  readonly onOpen?: () => void;
  /** Called for everything that arrives on an open stream, heartbeats included. */
  readonly onReceived?: () => void;
  /** Called when a connection has ended, for whatever reason. */
  readonly onEnd?: () => void;
  /**
   * True if the daemon has answered before: a failed first attempt is then repeated.
   */
  readonly hasAnswered?: boolean;
  readonly delays?: Partial<Delays>;
  /** Tells where the next connection continues, if the caller also reads the log by other means. */
  readonly place?: () => LogCursor;
  pause(ms: number, signal: AbortSignal): Promise<void>;
  readonly clock: Clock;
}

/**
 * How long an open stream may deliver nothing before it is closed and opened again. A connection that a sleeping
 * computer or a changed network has broken may never report an error. A heartbeat comes every 25 seconds
 * (docs/contract/http-api.md#54-the-stream).
 */
const SILENT_MS = 60_000;
const SILENT_TEXT = "the daemon has sent nothing for 60 seconds";

/** What the daemon sends on an open stream. */
const DATA_INPUTS: ReadonlySet<FollowInput["type"]> = new Set(["frame", "cursor", "heartbeat"]);

/**
 * Follows events across restarts of the daemon, until `signal` is aborted. Each new connection continues after the last
 * event. Throws if the daemon refuses the request, or if the first connection fails and `hasAnswered` is not set.
 *
 * `connect` yields what happens on one connection, from the daemon's answer to the end. Its parameter `isBroken` is
 * true if the previous connection broke.
 *
 * `connect` must close its connection when its parameter `signal` is aborted. That happens at the end of every
 * connection.
 */
export async function* followStream(
  connect: (state: Connected, isBroken: boolean, signal: AbortSignal) => AsyncIterable<FollowInput>,
  options: FollowOptions,
): AsyncGenerator<FollowItem, void, void> {
  const { signal, clock } = options;
  const delays = { ...DELAYS, ...options.delays };
  let state: FollowState = following(options.after, options.hasAnswered, options.log);
  let reason: unknown;
  let isBroken = false;
  for (;;) {
    if (signal.aborted) return;
    switch (state.name) {
      case "ended":
        if (state.error !== undefined) throw state.error;
        return;
      case "waiting":
        options.onRetry?.(state.delayMs, reason);
        await options.pause(state.delayMs, signal);
        state = next(state, { type: "elapsed", at: options.place?.() }).state;
        break;
      case "connecting":
      case "open": {
        const connection = new AbortController();
        const silence = new SilenceWatch({
          clock,
          ms: SILENT_MS,
          signal: connection.signal,
          onSilent: () => connection.abort(new UnavailableError(SILENT_TEXT)),
        });
        try {
          for await (const input of connect(
            state,
            isBroken,
            AbortSignal.any([signal, connection.signal]),
          )) {
            // The count stops while the caller works on an item, because nothing is read from the stream meanwhile.
            silence.stop();
            // A daemon that is stopped on purpose closes its streams properly. So a fault on an open stream means that
            // the daemon crashed or the connection broke.
            if (state.name === "open")
              isBroken = input.type === "fault" && !connection.signal.aborted;
            if ("error" in input)
              reason = connection.signal.aborted ? connection.signal.reason : input.error;
            if (input.type === "accepted") options.onOpen?.();
            if (DATA_INPUTS.has(input.type)) options.onReceived?.();
            const step = next(state, input, delays);
            state = step.state;
            if (step.item !== undefined) yield step.item;
            if (state.name !== "open") break;
            silence.received();
          }
        } finally {
          connection.abort();
          options.onEnd?.();
        }
      }
    }
  }
}

/**
 * Converts a frame of the stream to an input of the state machine (`follow-state.ts`). A frame without an event name
 * tells how far the log was read.
 */
export function inputOf({ id, event, data }: Frame): FollowInput {
  if (id === undefined || !/^\d{1,15}$/.test(id)) {
    return { type: "fault", error: new Error("the event stream sent an event without an id") };
  }
  if (event === "") return { type: "cursor", id: Number(id) };
  const [, chain] = CHAIN.exec(data) ?? [];
  return { type: "frame", id: Number(id), event, data, ...(chain === undefined ? {} : { chain }) };
}

/** The chain is the last field of an event, behind the payload, so it is found without parsing the event. */
const CHAIN = /"chain":"([0-9a-f]{32})"\}$/;

/** The headers of a request that say where the stream continues. */
export function cursorHeaders({ cursor, log }: LogCursor): Record<string, string> {
  return {
    "last-event-id": String(cursor),
    ...(log === undefined ? {} : { [LOG_HEADER.toLowerCase()]: logMarkText(log) }),
  };
}

/** Returns the input for an accepted connection. `log` is the header with the log's epoch. */
export function acceptedWith(log: string | null | undefined): FollowInput {
  const mark = parseLogMark(log ?? "");
  return mark === undefined ? { type: "accepted" } : { type: "accepted", epoch: mark.epoch };
}
