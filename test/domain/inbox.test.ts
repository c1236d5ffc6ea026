import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { isAddress } from "../../src/contract/address.ts";
import { askedBefore, reviewDates } from "../../src/domain/inbox/planned.ts";
import { addressOf, slotOf } from "../../src/domain/inbox/slot.ts";

describe("an address", () => {
  test.each([
    "worker",
    "worker/adapter",
    "a/b/c",
    "two words",
    "Ålice",
    "é".repeat(64),
    "a".repeat(128),
    "👩".repeat(32),
  ])("may be %s", (text) => {
    expect(isAddress(text)).toBe(true);
  });

  test.each([
    ["nothing", ""],
    ["white space at its ends", " worker"],
    ["white space alone", "  "],
    ["129 bytes", "a".repeat(129)],
    ["130 bytes of 65 characters", "é".repeat(65)],
    ["a new line", "a\nb"],
    ["NUL", "a\u0000b"],
    ["an invisible character", "a\u200bb"],
    ["half a surrogate pair", "a\ud83db"],
  ])("is refused if it is or has %s", (_, text) => {
    expect(isAddress(text)).toBe(false);
  });

  test.each([
    ["worker", "notify.d29ya2Vy"],
    ["worker/adapter", "notify.d29ya2VyL2FkYXB0ZXI"],
    ["worker-a", "notify.d29ya2VyLWE"],
    ["coordinator", "notify.Y29vcmRpbmF0b3I"],
    ["Å", "notify.w4U"],
    ["???>>>", "notify.Pz8_Pj4-"],
  ])("the address %s has the metadata key %s", (address, key) => {
    expect(slotOf(address)).toBe(key);
    expect(addressOf(key)).toBe(address);
  });

  test.each(["notify.d29ya2Vy=", "notify.!", "notify._w", "note.d29ya2Vy", "notify"])(
    "cannot be read from the metadata key %s",
    (key) => {
      expect(addressOf(key)).toBeUndefined();
    },
  );
});

const ANN = slotOf("ann");
const SCHEDULED = "2026-09-16T09:00";
const scheduledMessage = `Scheduled date reached: ${SCHEDULED}`;

interface InboxCase {
  readonly metadata: JsonObject;
  readonly now?: string;
  readonly owner?: string | null;
  readonly recurrence?: string;
  readonly daemon?: string;
}

function review({ metadata, now = "2026-09-16T10:00:00.000Z", ...rest }: InboxCase) {
  const { owner = null, recurrence, daemon = "UTC" } = rest;
  return reviewDates({ owner, author: "ann", metadata }, { daemon, recurrence }, now);
}

describe("a planned date", () => {
  test.each<[string, InboxCase, readonly string[]]>([
    [
      "of a series is read in the zone of the series if it is a scheduled date",
      { metadata: { scheduled_on: SCHEDULED }, recurrence: "America/Los_Angeles" },
      [],
    ],
    [
      "of a series is not read in the zone of the series if it is a deadline",
      { metadata: { deadline_on: SCHEDULED }, recurrence: "America/Los_Angeles" },
      [`Deadline reached: ${SCHEDULED}`],
    ],
    [
      "that is a deadline is not read in the zone of the series even if that zone is ahead",
      {
        metadata: { deadline_on: SCHEDULED },
        recurrence: "Asia/Tokyo",
        now: "2026-09-16T08:00:00.000Z",
      },
      [],
    ],
    [
      "without a time begins at the start of its day",
      { metadata: { deadline_on: "2026-09-16" }, now: "2026-09-16T00:00:00.000Z" },
      ["Deadline reached: 2026-09-16"],
    ],
    [
      "without a time is not reached the day before",
      { metadata: { deadline_on: "2026-09-16" }, now: "2026-09-15T23:59:59.999Z" },
      [],
    ],
    [
      "is read in the issue's own zone first",
      { metadata: { deadline_on: SCHEDULED, timezone: "America/Los_Angeles" } },
      [],
    ],
    [
      "is read in the daemon's zone last",
      { metadata: { deadline_on: SCHEDULED }, daemon: "America/Los_Angeles" },
      [],
    ],
    [
      "that names its zone is read in no other",
      { metadata: { deadline_on: "2026-09-16T10:00:00Z", timezone: "Asia/Tokyo" } },
      ["Deadline reached: 2026-09-16T10:00:00Z"],
    ],
    ["is due to the millisecond", { metadata: { deadline_on: "2026-09-16T10:00:00.001Z" } }, []],
    [
      "that is invalid is never reached",
      { metadata: { deadline_on: "soon", scheduled_on: 5 } },
      [],
    ],
    [
      "that is scheduled is reported before a deadline",
      { metadata: { deadline_on: "2026-09-01", scheduled_on: SCHEDULED } },
      [scheduledMessage, "Deadline reached: 2026-09-01"],
    ],
  ])("a planned date %s", (_, given, messages) => {
    expect(review(given).messages).toEqual(messages);
  });

  test("the earliest planned date in the future is reported as the next one", () => {
    const metadata = { scheduled_on: "2026-09-20", deadline_on: "2026-09-18", timezone: "UTC" };
    expect(review({ metadata }).next).toBe("2026-09-18T00:00:00.000Z");
    expect(review({ metadata, now: "2026-09-18T00:00:00.000Z" }).next).toBe(
      "2026-09-20T00:00:00.000Z",
    );
    expect(review({ metadata, now: "2026-09-20T00:00:00.000Z" }).next).toBeUndefined();
  });

  test("a planned date leads to a request to the owner, or else the author, if that is a valid address", () => {
    const metadata = { deadline_on: "2026-09-16" };
    expect(review({ metadata }).slot).toBe(ANN);
    expect(review({ metadata, owner: "bea" }).slot).toBe(slotOf("bea"));
    expect(review({ metadata, owner: "b".repeat(128) }).slot).toBeDefined();
    expect(review({ metadata, owner: "b".repeat(129) }).slot).toBeUndefined();
  });

  const ours = { from: "system", message: scheduledMessage };

  test.each<[string, JsonObject, { stale: readonly string[]; slot: string | undefined }]>([
    [
      "by the daemon is kept while its date still applies",
      { scheduled_on: SCHEDULED, [ANN]: ours },
      { stale: [], slot: undefined },
    ],
    [
      "by the daemon about a former value is withdrawn",
      { scheduled_on: "2026-09-15", [ANN]: ours },
      { stale: [ANN], slot: ANN },
    ],
    [
      "by the daemon about the other field is withdrawn",
      { deadline_on: SCHEDULED, [ANN]: ours },
      { stale: [ANN], slot: ANN },
    ],
    [
      "by the daemon about a date that is not reached is withdrawn",
      {
        scheduled_on: "2026-09-17",
        [ANN]: { from: "system", message: "Scheduled date reached: 2026-09-17" },
      },
      { stale: [ANN], slot: ANN },
    ],
    [
      "by the daemon to a former recipient is withdrawn",
      { scheduled_on: SCHEDULED, [slotOf("bea")]: ours },
      { stale: [slotOf("bea")], slot: ANN },
    ],
    [
      "by a person is kept",
      { scheduled_on: SCHEDULED, [ANN]: { ...ours, from: "bea" } },
      { stale: [], slot: undefined },
    ],
    [
      "with a third member is not the daemon's",
      { [ANN]: { ...ours, occurrence: "cron:1" } },
      { stale: [], slot: undefined },
    ],
    [
      "with another text is not the daemon's",
      { [ANN]: { from: "system", message: "Recurring occurrence reached: x" } },
      { stale: [], slot: undefined },
    ],
    [
      "that is malformed is kept",
      { scheduled_on: SCHEDULED, [ANN]: "look" },
      { stale: [], slot: undefined },
    ],
    [
      "under another key of the metadata is ignored",
      { scheduled_on: SCHEDULED, note: ours },
      { stale: [], slot: ANN },
    ],
  ])("a request %s", (_, metadata, expected) => {
    expect(review({ metadata })).toMatchObject(expected);
  });
});

test("the requests that were sent are known from each slot's content before and after each event", () => {
  const message = (day: number) => `Deadline reached: 2026-09-0${day}`;
  const held = (day: number) => ({ from: "system", message: message(day) });
  const event = (type: "issue.created" | "issue.metadata_updated", payload: object) =>
    ({ type, payload }) as never;
  const writes = [
    event("issue.created", { metadata: { [ANN]: held(1) } }),
    event("issue.metadata_updated", { diff: { [ANN]: { from: held(2), to: held(3) } } }),
    event("issue.metadata_updated", { diff: { [slotOf("bea")]: { to: held(4) } } }),
    event("issue.metadata_updated", { diff: { [ANN]: { to: { ...held(5), from: "bea" } } } }),
  ];
  expect([...askedBefore(writes, ANN)]).toEqual([message(1), message(2), message(3)]);
});
