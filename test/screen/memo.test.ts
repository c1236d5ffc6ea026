import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instantToMs, msToInstant } from "../../src/base/clock.ts";
import type { FleetRow } from "../../src/screen/fleet/state.ts";
import type { Issue } from "../../src/screen/issues/issues.ts";
import { Memo } from "../../src/screen/memo.ts";
import type { Message } from "../../src/screen/message.ts";
import type { State } from "../../src/screen/state.ts";
import { frame } from "../../tui/screens/frame.ts";
import { type Paint, painter } from "../../tui/style.ts";
import { issue, NOW, type Session, sample, screen } from "../tui/support.ts";

/** Due within the minute in which both screens are compared. */
const DUE = issue(8, {
  title: "Due soon",
  metadata: { scheduled_on: "2026-11-21T10:00:30Z" },
  parent: issue(1).uid,
});
const OTHERS = [1, 2, 4, 8].flatMap((number) => [
  issue(number, { title: `Another title ${number}`, revision: 2, owner: "bo" }),
  issue(number, { title: "token crash", revision: 3, status: "closed" }),
  issue(number, { title: "open again", revision: 4, labels: ["api", "new"], priority: 0 }),
]);
const HOLDERS = [1, 2].map((number): FleetRow => {
  const { uid, project_id, short_id: ref, qualified_id: name, title } = issue(number);
  const since = `2026-11-21T09:45:${10 * number}.000Z`;
  const lease = { expires_at: "2026-11-21T10:05:30.000Z", fence: 1, purpose: "" };
  const [holder, owner, last] = ["bo", undefined, undefined];
  const at = { uid, project_id, ref, name };
  return { at, title, status: "open", holder, owner, since, lease, last };
});
const FLEET: Message = {
  type: "fleet",
  project_id: 1,
  fleet: { rows: HOLDERS, truncated: false, error: undefined },
};

const KEYS = "j k g G space v o s E c right left enter esc tab / t o k 3 6 1 :".split(" ");

const told = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...KEYS).map((key): Message => ({ type: "key", key })) },
  fc.constantFrom(...OTHERS).map((one) => changed([one], [])),
  fc.constantFrom(...OTHERS).map(({ uid }) => changed([], [uid])),
  fc.constant(FLEET),
);

/** The messages of a screen, each with the seconds since the minute began. */
const recording = fc
  .array(fc.tuple(told, fc.integer({ min: 0, max: 90 })), { minLength: 1, maxLength: 12 })
  .map((moments) => moments.toSorted(([, one], [, other]) => one - other));
type Recording = typeof recording extends fc.Arbitrary<infer T> ? T : never;

function changed(issues: readonly Issue[], gone: readonly string[]): Message {
  return { type: "issues", part: "changed", serial: 0, issues, gone, truncated: false };
}

/** A screen that gets the recording message by message, and its picture after each. */
class Watched {
  readonly states: State[] = [];
  readonly pictures: string[] = [];
  readonly #session: Session;
  readonly #recording: Recording;
  readonly #paint = painter("dark");

  constructor(recording: Recording, columns: number, rows: number) {
    this.#session = screen(columns, rows, [...sample(), DUE]);
    this.#recording = recording;
  }

  /** Returns whether there was another message. */
  next(): boolean {
    const moment = this.#recording[this.states.length];
    if (moment === undefined) return false;
    const [message, seconds] = moment;
    const now = msToInstant(instantToMs(NOW) + seconds * 1000);
    this.#session.state = { ...this.#session.state, now };
    this.#session.tell(message);
    this.states.push(this.#session.state);
    this.pictures.push(drawn(this.#session.state, this.#paint));
    return true;
  }

  all(): this {
    while (this.next());
    return this;
  }
}

function drawn(state: State, paint: Paint): string {
  return frame(state, paint).join("\n");
}

describe("memoised results of a screen", () => {
  test("are not shared: two screens in one process draw the same as each of them alone", () => {
    fc.assert(
      fc.property(recording, recording, (one, other) => {
        const alone = [new Watched(one, 80, 24).all(), new Watched(other, 160, 50).all()];
        const both = [new Watched(one, 80, 24), new Watched(other, 160, 50)];
        while (both.map((screen) => screen.next()).some(Boolean));
        expect(both.map(({ pictures }) => pictures)).toEqual(alone.map(({ pictures }) => pictures));
      }),
      { numRuns: 40 },
    );
  });

  test("change no picture: each state looks the same whatever was drawn before", () => {
    fc.assert(
      fc.property(recording, fc.infiniteStream(fc.nat()), (moments, order) => {
        const { states, pictures } = new Watched(moments, 160, 50).all();
        const paint = painter("dark");
        for (const at of order.take(2 * states.length)) {
          const state = states[at % states.length];
          if (state === undefined) break;
          expect(drawn(state, paint)).toBe(pictures[at % states.length]);
          expect(drawn({ ...state, memo: new Memo() }, painter("dark"))).toBe(
            pictures[at % states.length],
          );
        }
      }),
      { numRuns: 40 },
    );
  });
});
