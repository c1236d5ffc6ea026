import { describe, expect, test } from "vitest";
import {
  type AdoptedEvent,
  type AdoptionGrant,
  type AdoptionMarker,
  adoptionStep,
} from "../../../src/domain/federation/adoption.ts";

const FRESH: AdoptionGrant = {
  allow_adoption_snapshot_authors: 1,
  adoption_baseline_open: 0,
  adoption_baseline_next_source_event_id: null,
  adoption_baseline_end_source_event_id: null,
};
const OPEN: AdoptionGrant = {
  ...FRESH,
  adoption_baseline_open: 1,
  adoption_baseline_next_source_event_id: 13,
  adoption_baseline_end_source_event_id: 20,
};
const USED: AdoptionGrant = { ...FRESH, allow_adoption_snapshot_authors: 0 };
const CLOCK = { hlc_physical_ms: 5, hlc_counter: 1 };

function events(from: number, count: number, changes: object = {}): readonly AdoptedEvent[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{ uid: `E${from + at}`, type: "issue.snapshot", actor: "sam", origin_instance_uid: "S" },
    ...CLOCK,
    ...{ event_id: from + at, issue_uid: `I${from + at}`, payload: {} },
    ...changes,
  })) as unknown as readonly AdoptedEvent[];
}

const METADATA = events(10, 1, { type: "project.metadata_updated" });
const open = (end: number): AdoptionMarker => ({ adoption_baseline: "open", end });
const complete = (end: number): AdoptionMarker => ({ adoption_baseline: "complete", end });

type Case = readonly [
  what: string,
  grant: AdoptionGrant,
  sent: readonly AdoptedEvent[],
  marker: AdoptionMarker | undefined,
];

function step(
  [, grant, sent, marker]: Case,
  { fresh = sent.length, lastClock = CLOCK }: { fresh?: number; lastClock?: typeof CLOCK } = {},
) {
  return adoptionStep(grant, { events: sent, fresh, marker, lastClock });
}

describe("the adoption of a spoke's project by its hub", () => {
  test("begins with the first part, continues where the last part ended, and ends with the last part", () => {
    const first = step(["", FRESH, events(10, 3), open(20)]);
    expect(first).toEqual({ grant: OPEN });
    const second = step(["", OPEN, events(13, 7), open(20)]);
    expect(second).toEqual({ grant: { ...OPEN, adoption_baseline_next_source_event_id: 20 } });
    const grant = { ...OPEN, adoption_baseline_next_source_event_id: 20 };
    expect(step(["", grant, events(20, 1), complete(20)])).toEqual({
      grant: {
        allow_adoption_snapshot_authors: 0,
        adoption_baseline_open: 0,
        adoption_baseline_next_source_event_id: 21,
        adoption_baseline_end_source_event_id: 20,
      },
    });
  });

  test("may consist of one part that begins with the metadata of the project", () => {
    const sent = [...METADATA, ...events(11, 2)];
    expect(step(["", FRESH, sent, complete(12)])).toMatchObject({
      grant: { allow_adoption_snapshot_authors: 0, adoption_baseline_open: 0 },
    });
  });

  test.each<Case>([
    ["a request without a marker during an open adoption", OPEN, events(13, 1), undefined],
    ["an enrollment whose permission is used up", USED, events(10, 1), complete(10)],
    ["a part that begins too late", OPEN, events(14, 1), open(20)],
    ["a part that begins too early", OPEN, events(12, 3), open(20)],
    ["an end that differs from that of the first part", OPEN, events(13, 1), open(21)],
    ["a part marked as open that reaches the end", OPEN, events(13, 8), open(20)],
    ["a last part that ends before the end", OPEN, events(13, 7), complete(20)],
    ["a last part that ends behind the end", OPEN, events(13, 9), complete(20)],
    ["a gap between the events", FRESH, [...events(10, 1), ...events(12, 1)], open(20)],
    ["an event that is no snapshot", FRESH, events(10, 1, { type: "issue.updated" }), open(20)],
    ["metadata after a snapshot", FRESH, [...events(9, 1), ...METADATA], open(20)],
    ["metadata in a later part", OPEN, events(13, 1, { type: METADATA[0]?.type }), open(20)],
    [
      "events with two different clocks",
      FRESH,
      [...events(10, 1), ...events(11, 1, { hlc_counter: 2 })],
      open(20),
    ],
    [
      "another clock than that of the first part",
      OPEN,
      events(13, 1, { hlc_counter: 2 }),
      open(20),
    ],
  ])("is refused for %s", (...one) => {
    expect(step(one)).toHaveProperty("refused");
  });

  test.each<Case>([
    ["a part that was sent before", OPEN, events(10, 3), open(20)],
    ["the last part again", USED, events(18, 3), complete(20)],
    ["a part without marker", OPEN, events(10, 3), undefined],
  ])("is not changed by %s if the hub already has all its events", (...one) => {
    expect(step(one, { fresh: 0 })).toEqual({ grant: one[1] });
  });

  test("is complete after the first request of snapshots that has no marker", () => {
    expect(step(["", FRESH, events(10, 2), undefined])).toEqual({ grant: USED });
    const edits = events(10, 2, { type: "issue.updated" });
    expect(step(["", FRESH, edits, undefined])).toEqual({ grant: FRESH });
  });
});
