import { expect, onTestFinished, test } from "vitest";
import { SvcError } from "../../src/contract/errors.ts";
import type { FollowInput, LogCursor } from "../../src/shared/follow-state.ts";
import type { Transport } from "../../src/shared/transport.ts";
import { followedInputs } from "../../web/shared-stream/followed.ts";
import type { StreamProgress } from "../../web/shared-stream/leadership.ts";
import { FakeClock } from "../support/clock.ts";

const OLD = "01ARZ3NDEKTSV4RRFFQ69G5FA0";
const NEW = "01ARZ3NDEKTSV4RRFFQ69G5FA1";

/** A log from which a window reads, and a leader whose words the test says. */
class Site {
  readonly inputs: FollowInput[] = [];
  readonly asked: unknown[] = [];
  last = 0;
  epoch = OLD;
  refusal: Error | undefined;
  told: StreamProgress | undefined;
  #news = Promise.withResolvers<void>();
  readonly #clock = new FakeClock();

  get news(): Promise<void> {
    return this.#news.promise;
  }

  follow(from: LogCursor): void {
    const ended = new AbortController();
    onTestFinished(() => ended.abort());
    const daemon = { call: async (_id: string, input: object) => this.#page(input) };
    const inputs = followedInputs(
      // The cast is safe: only `pollEvents` is called, and only some of the answer is read.
      {
        leadership: this,
        daemon: daemon as unknown as Transport<"pollEvents">,
        clock: this.#clock,
        signal: ended.signal,
      },
      from,
    );
    void (async () => {
      for await (const input of inputs) this.inputs.push(input);
      this.inputs.push({ type: "stopped" });
    })();
  }

  async say(told: StreamProgress | undefined): Promise<void> {
    this.told = told;
    this.#news.resolve();
    this.#news = Promise.withResolvers();
    for (let turn = 0; turn < 20; turn += 1) {
      await new Promise((resolve) => void setImmediate(resolve));
      this.#clock.advance(300);
    }
  }

  get ids(): readonly number[] {
    return this.inputs.flatMap((input) => (input.type === "frame" ? [input.id] : []));
  }

  #page(input: object): object {
    this.asked.push(input);
    if (this.refusal !== undefined) throw this.refusal;
    const { query, headers } = input as {
      readonly query: { readonly after_id: number };
      readonly headers: Readonly<Record<string, string>>;
    };
    const { epoch, last } = this;
    const after = query.after_id;
    const named = headers["x-svc-log"];
    if (after > last || (named !== undefined && !named.startsWith(epoch)))
      return { reset_required: true, reset_after_id: last, events: [], next_after_id: last, epoch };
    const ids = Array.from({ length: Math.min(1000, last - after) }, (_, at) => after + at + 1);
    const events = ids.map((event_id) => ({
      ...{ event_id, type: "issue.created" },
      chain: String(event_id).padStart(32, "0"),
    }));
    return { reset_required: false, events, next_after_id: ids.at(-1) ?? after, epoch };
  }
}

const open = (cursor: number, epoch = OLD, pieces = cursor): StreamProgress => ({
  ...{ isOpen: true, pieces, cursor, epoch },
});

test("a window that joins late first reads the events that it missed, page by page, and then each event once", async () => {
  const site = new Site();
  site.last = 2503;
  site.follow({ cursor: 500 });
  await site.say(undefined);
  expect(site.inputs).toEqual([]);
  await site.say(open(2503));
  expect(site.inputs[0]).toEqual({ type: "accepted", epoch: OLD });
  site.last = 2505;
  await site.say(open(2504));
  // The leader now says what this window has read already.
  await site.say(open(2505));
  expect(site.ids).toEqual(Array.from({ length: 2005 }, (_, at) => 501 + at));
  expect(site.asked).toHaveLength(4);
});

test("a window that is ahead of the leader gets no event twice, and is told that the stream is alive", async () => {
  const site = new Site();
  site.last = 9;
  site.follow({ cursor: 7 });
  await site.say(open(5));
  await site.say(open(8));
  await site.say(open(9));
  expect(site.ids).toEqual([8, 9]);
  expect(site.inputs.at(-1)).toEqual({ type: "heartbeat" });
});

test.each([
  ["another log", open(9, NEW)],
  ["another log that is longer", open(12, NEW)],
])("a leader that reads %s makes the other windows read again", async (_what, told) => {
  const site = new Site();
  site.last = 9;
  site.follow({ cursor: 9 });
  await site.say(open(9));
  site.epoch = NEW;
  site.last = told.cursor;
  await site.say(told);
  const reset = { type: "frame", id: told.cursor, event: "sync.reset_required", data: "{}" };
  expect(site.inputs).toContainEqual(reset);
});

test("a leader whose stream delivers nothing does not show that the daemon is alive", async () => {
  const site = new Site();
  site.follow({ cursor: 0 });
  await site.say(open(0));
  const heartbeats = () => site.inputs.filter(({ type }) => type === "heartbeat").length;
  const before = heartbeats();
  await site.say(open(0));
  expect(heartbeats()).toBe(before);
  await site.say(open(0, OLD, 1));
  expect(heartbeats()).toBe(before + 1);
});

test("the connection of a window closes with the leader's, and does not open before it", async () => {
  const site = new Site();
  site.follow({ cursor: 0 });
  await site.say({ ...open(0), isOpen: false });
  expect(site.inputs).toEqual([]);
  await site.say(open(0));
  await site.say({ ...open(0), isOpen: false });
  expect(site.inputs.slice(-2)).toEqual([{ type: "closed" }, { type: "stopped" }]);
});

test("a window whose own session may not read gets no event", async () => {
  const site = new Site();
  site.follow({ cursor: 0 });
  await site.say(open(0));
  site.last = 3;
  site.refusal = new SvcError("web_session_required");
  await site.say(open(3));
  expect(site.ids).toEqual([]);
  expect(site.inputs.at(-2)).toMatchObject({ type: "refused", status: 401 });
});
