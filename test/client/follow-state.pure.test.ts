import { describe, expect, test } from "vitest";
import {
  type FollowInput,
  type FollowState,
  following,
  next,
} from "../../src/shared/follow-state.ts";

const error = new Error("x");
const first: FollowState = following(7);
const again: FollowState = { name: "connecting", cursor: 7, attempt: 2, hasAnswered: true };
const open: FollowState = { name: "open", cursor: 7 };
const waiting: FollowState = { name: "waiting", cursor: 7, attempt: 3, delayMs: 4000 };
const ended: FollowState = { name: "ended", error };
const stopped: FollowState = { name: "ended", error: undefined };

const accepted: FollowInput = { type: "accepted" };
const refused: FollowInput = { type: "refused", status: 404, error };
const busy: FollowInput = { type: "refused", status: 503, error };
const fault: FollowInput = { type: "fault", error };
const frame: FollowInput = { type: "frame", id: 9, event: "issue.created", data: "{}" };
const reset: FollowInput = { type: "frame", id: 20, event: "sync.reset_required", data: "{}" };
const place: FollowInput = { type: "cursor", id: 9 };
const heartbeat: FollowInput = { type: "heartbeat" };
const closed: FollowInput = { type: "closed" };
const elapsed: FollowInput = { type: "elapsed" };
const stop: FollowInput = { type: "stopped" };

const soon = (cursor: number): FollowState => ({
  name: "waiting",
  cursor,
  attempt: 1,
  delayMs: 1000,
});
const moved: FollowState = { name: "open", cursor: 9 };
const fromReset: FollowState = { name: "connecting", cursor: 20, attempt: 0, hasAnswered: true };

describe("each state of a followed stream handles each input", () => {
  test.each<[string, FollowState, readonly (readonly [FollowInput, FollowState])[]]>([
    [
      "first connecting",
      first,
      [
        [accepted, open],
        [refused, ended],
        [busy, ended],
        [fault, ended],
        [frame, first],
        [reset, first],
        [place, first],
        [heartbeat, first],
        [closed, first],
        [elapsed, first],
        [stop, stopped],
      ],
    ],
    [
      "connecting again",
      again,
      [
        [accepted, open],
        [refused, ended],
        [busy, waiting],
        [fault, waiting],
        [frame, again],
        [reset, again],
        [place, again],
        [heartbeat, again],
        [closed, again],
        [elapsed, again],
        [stop, stopped],
      ],
    ],
    [
      "open",
      open,
      [
        [accepted, open],
        [refused, open],
        [busy, open],
        [fault, soon(7)],
        [frame, moved],
        [reset, fromReset],
        [place, moved],
        [heartbeat, open],
        [closed, soon(7)],
        [elapsed, open],
        [stop, stopped],
      ],
    ],
    [
      "waiting",
      waiting,
      [
        [accepted, waiting],
        [refused, waiting],
        [busy, waiting],
        [fault, waiting],
        [frame, waiting],
        [reset, waiting],
        [place, waiting],
        [heartbeat, waiting],
        [closed, waiting],
        [elapsed, { name: "connecting", cursor: 7, attempt: 3, hasAnswered: true }],
        [stop, stopped],
      ],
    ],
    [
      "ended",
      ended,
      [accepted, refused, busy, fault, frame, reset, place, heartbeat, closed, elapsed, stop].map(
        (input) => [input, ended] as const,
      ),
    ],
  ])("the state %s handles each input", (_name, state, row) => {
    expect(row).toHaveLength(11);
    for (const [input, expected] of row) expect(next(state, input).state).toEqual(expected);
  });

  test("a caller that has read the log during a wait continues from its own position", () => {
    const log = { epoch: "01ARZ3NDEKTSV4RRFFQ69G5FAV" };
    const at = next(waiting, { type: "elapsed", at: { cursor: 30, log } }).state;
    expect(at).toEqual({ name: "connecting", cursor: 30, log, attempt: 3, hasAnswered: true });
    const unnamed = next(at, fault).state;
    expect(next(unnamed, { type: "elapsed", at: { cursor: 31 } }).state).not.toHaveProperty("log");
  });

  test("a reset before any event keeps the identity of the log that the answer named, and a later reset drops it", () => {
    const [older, epoch] = ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "01BX5ZZKBKACTAV9WEVGEMMVRZ"];
    const opened = next(following(7, true, { epoch: older }), { type: "accepted", epoch }).state;
    expect(next(opened, reset).state).toEqual({ ...fromReset, log: { epoch } });
    for (const input of [frame, place])
      expect(next(next(opened, input).state, reset).state).toEqual(fromReset);
  });

  test("only an open stream delivers items", () => {
    expect(next(open, frame).item).toEqual({
      kind: "event",
      id: 9,
      event: "issue.created",
      data: "{}",
    });
    expect(next(open, reset).item).toEqual({ kind: "reset", after: 20 });
    for (const state of [first, again, waiting, ended])
      expect(next(state, frame).item).toBeUndefined();
    for (const input of [accepted, fault, place, heartbeat, closed])
      expect(next(open, input).item).toBeUndefined();
  });

  test("waits double from one second to thirty, and start at one second again once a stream was open", () => {
    const delays: number[] = [];
    let state: FollowState = next(open, closed).state;
    while (state.name === "waiting" && delays.length < 8) {
      delays.push(state.delayMs);
      state = next(next(state, elapsed).state, fault).state;
    }
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    const reopened = next(next(state, elapsed).state, accepted).state;
    expect(next(reopened, closed).state).toMatchObject({ delayMs: 1000 });
  });

  test("a first wait of another length doubles in the same way, up to another maximum", () => {
    const delays: number[] = [];
    const delaysOf = { firstMs: 20, maxMs: 2000 };
    let state: FollowState = next(open, closed, delaysOf).state;
    while (state.name === "waiting" && delays.length < 12) {
      delays.push(state.delayMs);
      state = next(next(state, elapsed, delaysOf).state, busy, delaysOf).state;
    }
    expect(delays.slice(0, 4)).toEqual([20, 40, 80, 160]);
    expect(delays.slice(-3)).toEqual([2000, 2000, 2000]);
  });

  test("a client waits for a daemon that it knows to exist, even if the first attempt to follow fails", () => {
    expect(next(following(7, true), fault).state).toEqual(soon(7));
    expect(next(following(7, true), busy).state).toEqual(soon(7));
    expect(next(following(7, true), refused).state).toEqual(ended);
  });
});
