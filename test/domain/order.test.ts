import fc from "fast-check";
import { expect, test } from "vitest";
import { compareEvents, inOrder, type Place } from "../../src/domain/order.ts";

const place: fc.Arbitrary<Place> = fc.record({
  id: fc.integer({ min: 1, max: 1_000_000 }),
  uid: fc.stringMatching(/^[0-9A-Z]{26}$/),
  type: fc.constantFrom("project.created" as const, "issue.created" as const),
  project_uid: fc.constantFrom("P", "Q"),
  origin_instance_uid: fc.constantFrom("I", "J"),
  hlc_physical_ms: fc.integer({ min: 1, max: 5 }),
  hlc_counter: fc.integer({ min: 0, max: 2 }),
});
const places = fc.uniqueArray(place, {
  comparator: (left, right) => left.id === right.id || left.uid === right.uid,
  maxLength: 20,
});

test("two different events always have an order, and a shuffled log sorts in one way only", () => {
  fc.assert(
    fc.property(
      places.chain((log) =>
        fc.tuple(fc.constant(log), fc.shuffledSubarray(log, { minLength: log.length })),
      ),
      ([log, shuffled]) => {
        expect(inOrder(shuffled)).toEqual(inOrder(log));
        for (const [at, event] of inOrder(log).entries())
          for (const after of inOrder(log).slice(at + 1)) {
            expect(compareEvents(event, after)).toBeLessThan(0);
            expect(compareEvents(after, event)).toBeGreaterThan(0);
          }
      },
    ),
  );
});

test("an event that was found twice is listed once", () => {
  fc.assert(
    fc.property(places, (log) => {
      expect(inOrder([...log, ...log])).toEqual(inOrder(log));
    }),
  );
});
