import type { Clock } from "../../src/base/clock.ts";
import { LOG_HEADER } from "../../src/contract/log-mark.ts";
import { BASE_PATH } from "../../src/contract/version.ts";
import { acceptedWith, cursorHeaders, inputOf } from "../../src/shared/follow.ts";
import type { FollowInput, LogCursor } from "../../src/shared/follow-state.ts";
import { refusalIn } from "../../src/shared/refusal.ts";
import { FrameReader } from "../../src/shared/sse.ts";
import { type Sessions, sessionHeaders } from "../session.ts";
import { answered } from "../transport.ts";
import type { Leadership } from "./leadership.ts";

interface OwnStream {
  readonly sessions: Sessions;
  readonly send: typeof fetch;
  readonly clock: Clock;
  readonly leadership: Pick<Leadership, "tell">;
  /** Aborted when this connection must end. */
  readonly signal: AbortSignal;
}

/** How long the daemon may take to answer the request for the stream. */
const HEAD_MS = 10_000;

/**
 * Reads the event stream in the window that leads. It uses `fetch`, because an EventSource cannot send the headers of a
 * session. It tells the other windows how far the stream has come.
 */
export async function* ownInputs(
  { sessions, send, clock, leadership, signal: outer }: OwnStream,
  from: LogCursor,
): AsyncGenerator<FollowInput, void, void> {
  const late = new AbortController();
  const signal = AbortSignal.any([outer, late.signal]);
  let { cursor } = from;
  let epoch = from.log?.epoch;
  let pieces = 0;
  try {
    const answer = await answered(sessions, async (session) => {
      const headers = {
        ...sessionHeaders(session),
        accept: "text/event-stream",
        ...cursorHeaders(from),
      };
      const head = new AbortController();
      void clock.sleep(HEAD_MS, head.signal).then(() => {
        if (!head.signal.aborted) late.abort();
      });
      try {
        return await send(`${BASE_PATH}/events/stream`, { headers, signal });
      } finally {
        head.abort();
      }
    });
    if (answer.status !== 200 || answer.body === null) {
      const error = refusalIn(answer.status, await answer.text());
      return yield { type: "refused", status: answer.status, error };
    }
    const accepted = acceptedWith(answer.headers.get(LOG_HEADER));
    if (accepted.type === "accepted") epoch = accepted.epoch ?? epoch;
    yield accepted;
    const frames = new FrameReader();
    const reader = answer.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return yield { type: "closed" };
      const inputs = frames.push(value).map(inputOf);
      for (const input of inputs) if ("id" in input) cursor = input.id;
      pieces += 1;
      leadership.tell({ isOpen: true, pieces, cursor, epoch });
      if (inputs.length === 0) yield { type: "heartbeat" };
      yield* inputs;
    }
  } finally {
    leadership.tell({ isOpen: false, pieces, cursor, epoch });
  }
}
