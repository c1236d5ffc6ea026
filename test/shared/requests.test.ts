import { expect, test } from "vitest";
import { slotOf } from "../../src/domain/inbox/slot.ts";
import { requestsIn, takePatch } from "../../src/shared/requests.ts";

const request = { from: "ann", message: "Which of the two?" };
const [shared, own] = ["worker", "worker/w1"];

test("requests are kept apart from other metadata, by address", () => {
  const metadata = {
    area: "ui",
    [slotOf("zoe")]: request,
    [slotOf("bea")]: request,
    [slotOf("cyd")]: "no request",
  };
  expect(requestsIn(metadata)).toEqual({
    requests: [
      { to: "bea", ...request },
      { to: "zoe", ...request },
    ],
    rest: { area: "ui", [slotOf("cyd")]: "no request" },
  });
});

test("a request moves to another address with its text, and records its former address", () => {
  expect(takePatch({ [slotOf(shared)]: request }, { shared, own })).toEqual({
    [slotOf(shared)]: null,
    [slotOf(own)]: { ...request, taken_from: shared },
  });
});

test("no request moves from an empty slot, or onto another request", () => {
  expect(takePatch({}, { shared, own })).toBeUndefined();
  expect(takePatch({ [slotOf(shared)]: "text" }, { shared, own })).toBeUndefined();
  const both = { [slotOf(shared)]: request, [slotOf(own)]: request };
  expect(takePatch(both, { shared, own })).toBeUndefined();
});
