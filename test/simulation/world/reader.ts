import type { Clock } from "../../../src/base/clock.ts";
import { LOG_HEADER } from "../../../src/contract/log-mark.ts";
import {
  acceptedWith,
  type Connected,
  cursorHeaders,
  followStream,
  inputOf,
} from "../../../src/shared/follow.ts";
import type { FollowInput, LogCursor } from "../../../src/shared/follow-state.ts";
import { FrameReader } from "../../../src/shared/sse.ts";
import type { SimulatedDaemon } from "./daemon.ts";
import type { Order } from "./order.ts";

export interface LoggedEvent {
  readonly event_id: number;
  readonly event_uid: string;
  /** Names the log up to this event. */
  readonly chain: string;
  readonly type: string;
  readonly payload: {
    readonly metadata?: Readonly<Record<string, unknown>>;
  };
}

interface ReaderParts {
  readonly daemon: SimulatedDaemon;
  readonly order: Order;
  readonly clock: Clock;
}

/** A client that follows the log by its stream, with the code of svc's own clients, and knows what it has read. */
export class Reader {
  readonly name: string;
  readonly #around: ReaderParts;
  readonly #left = new AbortController();
  /** The uid of each event by its id. */
  readonly known = new Map<number, string>();
  /** The last event that was read since the begin or the last reset. */
  #last: Pick<LoggedEvent, "event_id" | "chain"> | undefined;
  readonly faults: string[] = [];
  #following: Promise<void> = Promise.resolve();

  constructor(name: string, around: ReaderParts) {
    this.name = name;
    this.#around = around;
  }

  start(): void {
    this.#following = this.#follow().catch((error: unknown) => {
      this.faults.push(`${this.name} follows no more: ${String(error)}`);
    });
  }

  async stop(): Promise<void> {
    this.#left.abort();
    await this.#following;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#left;
    const { clock } = this.#around;
    const items = followStream((state, _isBroken, end) => this.#connect(state, end), {
      ...{ after: 0, signal, clock, hasAnswered: true },
      pause: async (ms, until) => await clock.sleep(ms, until),
    });
    for await (const item of items) {
      if (item.kind === "reset") {
        await this.#readAgain(item.after);
        continue;
      }
      const last = this.#last?.event_id ?? 0;
      if (item.id <= last) this.faults.push(`${this.name} gets event ${item.id} after ${last}`);
      this.#take(JSON.parse(item.data));
    }
  }

  #take(event: LoggedEvent): void {
    this.known.set(event.event_id, event.event_uid);
    this.#last = event;
  }

  /**
   * Reads the log again up to `upTo`: after a reset, the events read before do not count. The stream follows `upTo`.
   */
  async #readAgain(upTo: number): Promise<void> {
    const { daemon, clock } = this.#around;
    const { signal } = this.#left;
    let read = await readLog(daemon);
    while (read === undefined && !signal.aborted) {
      await clock.sleep(1000, signal);
      read = await readLog(daemon);
    }
    this.known.clear();
    this.#last = undefined;
    for (const event of read ?? []) if (event.event_id <= upTo) this.#take(event);
  }

  /**
   * Where the next connection continues: after the last event that was read. The chain of this event names the log.
   * After a reset, the reader has read the log without the stream, so only the reader knows this chain.
   */
  #place(state: Connected): LogCursor {
    if (this.#last === undefined) return { cursor: 0, log: state.log };
    const { event_id: cursor, chain } = this.#last;
    return { cursor, log: state.log && { epoch: state.log.epoch, chain } };
  }

  async *#connect(state: Connected, end: AbortSignal): AsyncGenerator<FollowInput, void, void> {
    const { daemon, order } = this.#around;
    await order.ready(`${this.name} connects`);
    const closed = Promise.withResolvers<undefined>();
    const close = (): void => closed.resolve(undefined);
    for (const signal of [end, this.#left.signal]) {
      if (signal.aborted) close();
      signal.addEventListener("abort", close);
    }
    const headers = { accept: "text/event-stream", ...cursorHeaders(this.#place(state)) };
    const sent = { method: "GET", path: "/events/stream", headers };
    let pieces: ReadableStreamDefaultReader<Uint8Array> | undefined;
    try {
      const streaming = await daemon.stream(sent);
      if (streaming === undefined) return yield { type: "fault", error: new Error("no daemon") };
      const { response } = streaming;
      if (response.status !== 200)
        return yield { type: "refused", status: response.status, error: new Error("refused") };
      yield acceptedWith(response.headers.get(LOG_HEADER));
      const frames = new FrameReader();
      pieces = response.body?.getReader();
      for (;;) {
        const piece = await Promise.race([pieces?.read(), streaming.end, closed.promise]);
        if (streaming.isFrozen()) await Promise.race([streaming.end, closed.promise]);
        if (piece === undefined || streaming.isOver())
          return yield { type: "fault", error: new Error("the connection broke") };
        if (piece.done) return yield { type: "closed" };
        await order.ready(`${this.name} hears`);
        const read = frames.push(piece.value);
        if (read.length === 0) yield { type: "heartbeat" };
        yield* read.map(inputOf);
      }
    } catch (error) {
      yield this.#left.signal.aborted ? { type: "stopped" } : { type: "fault", error };
    } finally {
      this.#left.signal.removeEventListener("abort", close);
      void pieces?.cancel().catch(() => undefined);
    }
  }
}

/** The whole log of a daemon; undefined if it does not answer now. */
export async function readLog(
  daemon: SimulatedDaemon,
): Promise<readonly LoggedEvent[] | undefined> {
  const events: LoggedEvent[] = [];
  for (let after = 0; ; ) {
    const path = `/events?after_id=${after}&limit=1000`;
    const received = await daemon.answer({ method: "GET", path });
    if (received?.status !== 200) return undefined;
    const page: { readonly events: readonly LoggedEvent[]; readonly next_after_id: number } =
      JSON.parse(received.text);
    if (page.events.length === 0) return events;
    events.push(...page.events);
    after = page.next_after_id;
  }
}
