import fc from "fast-check";
import { expect, test } from "vitest";
import { isStale, nextStamps, type Stamps } from "../../../src/domain/federation/stamps.ts";

const known = { stamp: "b", former_stamp: "a" };

test.each([
  ["of a replica that begins", undefined, undefined, { stamp: "new", former_stamp: null }],
  ["of a replica that begins anew", known, undefined, { stamp: "new", former_stamp: null }],
  ["with the last stamp", known, "b", { stamp: "new", former_stamp: "b" }],
  ["of a replica that lost its last answer", known, "a", { stamp: "new b", former_stamp: "a" }],
  [
    "of a replica that lost its last three answers",
    { stamp: "d c b", former_stamp: "a" },
    "a",
    { stamp: "new d c", former_stamp: "a" },
  ],
  [
    "with the stamp of the first answer to a poll that arrived twice",
    { stamp: "c b", former_stamp: "a" },
    "b",
    { stamp: "new", former_stamp: "b" },
  ],
  [
    "with the stamps of both answers to a poll that arrived twice",
    { stamp: "c b", former_stamp: "a" },
    "c b",
    "stale",
  ],
  ["with an older stamp", known, "z", "stale"],
  ["after the hub forgot the replica", undefined, "b", { stamp: "new", former_stamp: "b" }],
  [
    "with a stamp from before the replica began anew",
    { stamp: "c", former_stamp: null },
    "b",
    "stale",
  ],
])(
  "a poll %s leaves the expected stamps at the hub, or is refused as stale",
  (_what, stamps, sent, next) => {
    expect(nextStamps(stamps, sent, "new")).toEqual(next);
  },
);

test.each([
  ["the last stamp", known, "b"],
  ["the stamp before it", known, "a"],
  ["an answer to a poll that arrived twice", { stamp: "c b", former_stamp: "a" }, "b"],
  ["no stamp", known, undefined],
  ["a stamp that the hub forgot", undefined, "b"],
])("events with %s are accepted", (_what, stamps, sent) => {
  expect(isStale(stamps, sent)).toBe(false);
});

test.each([
  ["an older stamp", known, "z"],
  ["two stamps", { stamp: "c b", former_stamp: "a" }, "c b"],
])("events with %s are stale", (_what, stamps, sent) => {
  expect(isStale(stamps, sent)).toBe(true);
});

/**
 * The stamps that a hub keeps of a replica. An answer with `isLost` does not reach the replica, which keeps its stamp.
 */
class Hub {
  stamps: Stamps | undefined;
  #count = 0;

  /** Returns the stamp that the replica has afterwards, or `stale`. */
  poll(sent: string | undefined, isLost: boolean): string | undefined {
    this.#count += 1;
    const fresh = `stamp-${this.#count}`;
    const next = nextStamps(this.stamps, sent, fresh);
    if (next === "stale") return next;
    this.stamps = next;
    return isLost ? sent : fresh;
  }
}

test("a replica that misses any answers of the hub is never taken for a copied database", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean()), (lost) => {
      const hub = new Hub();
      let stamp: string | undefined;
      for (const isLost of lost) {
        stamp = hub.poll(stamp, isLost);
        expect(stamp).not.toBe("stale");
      }
    }),
  );
});

test("a replica is never taken for a copied database because the network delivers its last poll again, once or twice", () => {
  const step = fc.record({ isLost: fc.boolean(), again: fc.integer({ min: 0, max: 2 }) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const hub = new Hub();
      let stamp: string | undefined = hub.poll(undefined, false);
      for (const { isLost, again } of steps) {
        const sent = stamp;
        stamp = hub.poll(sent, isLost);
        expect(stamp).not.toBe("stale");
        for (let n = 0; n < again; n += 1) expect(hub.poll(sent, true)).not.toBe("stale");
      }
    }),
  );
});

test.each([0, 1, 7])(
  "of two copies of a database made after %i further polls, one is refused before both have polled twice",
  (polls) => {
    const begun = () => {
      const hub = new Hub();
      let stamp = hub.poll(undefined, false);
      for (let poll = 0; poll < polls; poll += 1) stamp = hub.poll(stamp, false);
      return { hub, stamp };
    };
    const inTurns = begun();
    const first = inTurns.hub.poll(inTurns.stamp, false);
    const second = inTurns.hub.poll(inTurns.stamp, false);
    expect(second).not.toBe("stale");
    expect(inTurns.hub.poll(first, false)).not.toBe("stale");
    expect(inTurns.hub.poll(second, false)).toBe("stale");

    const oneAhead = begun();
    const ahead = oneAhead.hub.poll(oneAhead.stamp, false);
    expect(oneAhead.hub.poll(ahead, false)).not.toBe("stale");
    expect(oneAhead.hub.poll(oneAhead.stamp, false)).toBe("stale");
  },
);
