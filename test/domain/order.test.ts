import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EventKind, Payload, StoredEvent } from "../../src/contract/events.ts";
import { foldLog, type MemoryState } from "../../src/domain/memory.ts";
import { FoldOrder, type Place } from "../../src/domain/order.ts";
import { PlaceList } from "../../src/domain/place-list.ts";
import { eventOf } from "./rows.ts";

const place: fc.Arbitrary<Place> = fc.record(
  {
    id: fc.integer({ min: 1, max: 1_000_000 }),
    uid: fc.stringMatching(/^[0-9A-Z]{26}$/),
    type: fc.constantFrom(
      "project.created" as const,
      "project.federation_enabled" as const,
      "issue.snapshot" as const,
      "issue.created" as const,
    ),
    project_uid: fc.constantFrom("P", "Q"),
    origin_instance_uid: fc.constantFrom("I", "J"),
    hlc_physical_ms: fc.integer({ min: 1, max: 5 }),
    hlc_counter: fc.integer({ min: 0, max: 2 }),
    hub_event_id: fc.integer({ min: 1, max: 10 }),
  },
  {
    requiredKeys: [
      ...(["id", "uid", "type", "project_uid", "origin_instance_uid"] as const),
      ...(["hlc_physical_ms", "hlc_counter"] as const),
    ],
  },
);
const places = fc.uniqueArray(place, {
  comparator: (left, right) => left.id === right.id || left.uid === right.uid,
  maxLength: 20,
});

const orderOf = (log: readonly Place[]): FoldOrder =>
  new FoldOrder(log.filter(({ type }) => type === "project.federation_enabled"));

test("two different events always have an order, and a shuffled log sorts in one way only", () => {
  fc.assert(
    fc.property(
      places.chain((log) =>
        fc.tuple(fc.constant(log), fc.shuffledSubarray(log, { minLength: log.length })),
      ),
      ([log, shuffled]) => {
        const order = orderOf(log);
        const sorted = order.sorted(log);
        expect(order.sorted(shuffled)).toEqual(sorted);
        for (const [at, event] of sorted.entries())
          for (const after of sorted.slice(at + 1)) {
            expect(order.compare(event, after)).toBeLessThan(0);
            expect(order.compare(after, event)).toBeGreaterThan(0);
          }
      },
    ),
  );
});

test("an event that was found twice is listed once", () => {
  fc.assert(
    fc.property(places, (log) => {
      const order = orderOf(log);
      expect(order.sorted([...log, ...log])).toEqual(order.sorted(log));
    }),
  );
});

test("without a federated project, events are folded in the order of their arrival, whatever their clocks say", () => {
  fc.assert(
    fc.property(places, (log) => {
      const local = log.filter(({ type }) => type !== "project.federation_enabled");
      const ids = orderOf(local)
        .sorted(local)
        .map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted((left, right) => left - right));
    }),
  );
});

/** Where an event stands: its id on this daemon, its clock, and the id on the hub if this daemon is not the hub. */
interface At {
  readonly id: number;
  readonly clock: number;
  readonly hub?: number;
}

function event<K extends EventKind>(
  type: K,
  payload: Payload<K>,
  { id, clock, hub }: At,
  about: { readonly project_uid: string; readonly issue_uid?: string },
): StoredEvent {
  return {
    ...eventOf(type, payload, about),
    ...{ id, uid: `${type} ${id}`, hlc_physical_ms: clock, hlc_counter: 0 },
    created_at: `2026-01-01T00:00:00.${String(clock).padStart(3, "0")}Z`,
    ...(hub === undefined ? {} : { hub_event_id: hub }),
  } as StoredEvent;
}

const T0 = "2026-01-01T00:00:00.000Z";
const projectOf = (issue: string): string => issue.slice(0, 1);
const about = (issue: string) => ({ project_uid: projectOf(issue), issue_uid: issue });
const issueFields = (uid: string) => ({
  ...{ uid, short_id: uid, title: uid, body: "", author: "ann", status: "open" as const },
  ...{ metadata: {}, created_at: T0 },
});
const linkTo = (uid: string) => ({
  ...{ type: "related" as const, to_issue_uid: uid, to_short_id: uid, author: "ann" },
  created_at: T0,
});

const baseline = (project: string, at: At): StoredEvent =>
  event(
    "project.federation_enabled",
    {
      ...{ project_uid: project, project_name: project, revision: 1 },
      ...{ purged_uids: [], spent_short_ids: [], former_short_ids: [] },
    },
    at,
    { project_uid: project },
  );
const created = (issue: string, at: At, peers: readonly string[] = []): StoredEvent =>
  event("issue.created", { ...issueFields(issue), links: peers.map(linkTo) }, at, about(issue));
const snapshot = (issue: string, at: At, peers: readonly string[] = []): StoredEvent =>
  event(
    "issue.snapshot",
    { ...issueFields(issue), updated_at: T0, revision: 1, links: peers.map(linkTo) },
    at,
    about(issue),
  );
const retitled = (issue: string, title: string, at: At): StoredEvent =>
  event("issue.updated", { title, updated_at: T0 }, at, about(issue));
const linked = (issue: string, changes: object, at: At): StoredEvent =>
  event("issue.links_changed", { updated_at: T0, ...changes }, at, about(issue));

/** What a baseline says of the issue: the links that are stored from it, with those that wait. */
function snapshotOf(state: MemoryState, issue: string, at: At): StoredEvent {
  const links = [...state.linksOf(issue), ...state.waitingLinksOf(issue)]
    .filter(({ from_uid }) => from_uid === issue)
    .map(({ type, to_uid, author, created_at }) => ({
      ...{ type, to_issue_uid: to_uid, author, created_at },
    }));
  const payload = { ...issueFields(issue), updated_at: T0, revision: 1, links };
  return event("issue.snapshot", payload, at, about(issue));
}

const allLinks = (state: MemoryState) => [...state.rows("link"), ...state.rows("waiting_link")];

function foldedOf(...events: readonly StoredEvent[]): MemoryState {
  return foldLog(orderOf(events).sorted(events));
}

/**
 * What federated daemons must agree on (docs/contract/federation.md#14-histories-that-decide-the-order; the numbers are
 * its rows).
 */
describe("histories that decide the order", () => {
  test("1: an issue that was written offline keeps its title, though it names a project with a later baseline", () => {
    const onHub = foldedOf(
      baseline("P", { id: 1, clock: 100 }),
      baseline("Q", { id: 2, clock: 200 }),
      created("Qj", { id: 3, clock: 201 }),
      created("Pi", { id: 4, clock: 50 }, ["Qj"]),
      retitled("Pi", "new", { id: 5, clock: 60 }),
    );
    const onSpoke = foldedOf(
      created("Pi", { id: 1, clock: 50 }, ["Qj"]),
      retitled("Pi", "new", { id: 2, clock: 60 }),
      baseline("P", { id: 3, clock: 100, hub: 1 }),
      baseline("Q", { id: 4, clock: 200, hub: 2 }),
      created("Qj", { id: 5, clock: 201, hub: 3 }),
    );
    for (const state of [onHub, onSpoke]) {
      expect(state.issue("Pi")?.title).toBe("new");
      expect(state.link("Pi", "Qj", "related")).toBeDefined();
    }
  });

  test("2: the hub's new title wins over the baseline's, even if the snapshot links to a project with a later clock", () => {
    const state = foldedOf(
      baseline("Q", { id: 1, clock: 200 }),
      baseline("P", { id: 2, clock: 110 }),
      snapshot("Pi", { id: 3, clock: 110 }, ["Qj"]),
      retitled("Pi", "new", { id: 4, clock: 120 }),
    );
    expect(state.issue("Pi")?.title).toBe("new");
  });

  test("3: of two parents that were set late, the one with the later clock stays, with or without the other project", () => {
    const events = [
      baseline("P", { id: 1, clock: 100 }),
      ...["Pi", "Pk", "Pm"].map((issue, at) => created(issue, { id: 2 + at, clock: 101 })),
      linked("Pi", { parent_set_uid: "Pm" }, { id: 10, clock: 150 }),
      linked("Pi", { parent_set_uid: "Pk", related_added_uids: ["Qj"] }, { id: 11, clock: 50 }),
    ];
    const ofBoth = [
      ...events,
      baseline("Q", { id: 12, clock: 200 }),
      created("Qj", { id: 13, clock: 201 }),
    ];
    for (const some of [events, ofBoth])
      expect(foldedOf(...some).parentLink("Pi")?.to_uid).toBe("Pm");
  });

  test("4: a late unlink takes back a link that a refreshed baseline of the other project knows", () => {
    const state = foldedOf(
      baseline("P", { id: 1, clock: 90 }),
      baseline("Q", { id: 2, clock: 91 }),
      created("Pi", { id: 3, clock: 92 }, ["Qj"]),
      created("Qj", { id: 4, clock: 93 }),
      baseline("Q", { id: 5, clock: 200 }),
      snapshot("Qj", { id: 6, clock: 200 }),
      linked("Pi", { related_removed_uids: ["Qj"] }, { id: 7, clock: 100 }),
    );
    expect(allLinks(state)).toEqual([]);
  });

  test("5: a link between projects that was removed before a node joins is gone there too, whichever side removed it", () => {
    const before = [
      baseline("P", { id: 1, clock: 100 }),
      snapshot("Pi", { id: 2, clock: 100 }, ["Qj"]),
      baseline("Q", { id: 3, clock: 110 }),
      created("Qj", { id: 4, clock: 120 }),
    ];
    // The link is stored from Pi, so removing it is an event of P. A spoke that joins late gets it for that reason.
    const unlinked = linked("Pi", { related_removed_uids: ["Qj"] }, { id: 5, clock: 150 });
    const refreshed = [baseline("Q", { id: 6, clock: 200 }), snapshot("Qj", { id: 7, clock: 200 })];
    const [first, second] = before;
    const onHub = foldedOf(...before, unlinked, ...refreshed);
    const joinedLate = foldedOf(
      ...[first, second, unlinked, ...refreshed].map(
        (event) => ({ ...event, hub_event_id: event?.id }) as StoredEvent,
      ),
    );
    for (const state of [onHub, joinedLate]) expect(allLinks(state)).toEqual([]);
  });

  test("6: a parent that an event of another project sets for a child is the same where that project is missing", () => {
    const ofP = [
      baseline("P", { id: 1, clock: 100 }),
      ...["Pi", "Pk"].map((issue, at) => created(issue, { id: 2 + at, clock: 101 })),
      linked("Pi", { parent_set_uid: "Pk" }, { id: 4, clock: 102 }),
      // Qj was created for the child Pi. The link is an event of Pi.
      linked("Pi", { parent_set_uid: "Qj" }, { id: 7, clock: 151 }),
    ];
    const ofQ = [baseline("Q", { id: 5, clock: 120 }), created("Qj", { id: 6, clock: 150 })];
    const [onHub, onSpoke] = [foldedOf(...ofP, ...ofQ), foldedOf(...ofP)];
    expect(onHub.parentLink("Pi")?.to_uid).toBe("Qj");
    expect(onSpoke.waitingParent("Pi")?.to_uid).toBe("Qj");
    expect(onHub.link("Pi", "Pk", "parent")).toBeUndefined();
    expect(onSpoke.link("Pi", "Pk", "parent")).toBeUndefined();
  });

  test("7: in a circle of parents through two projects, a link between them waits, so each has the same links without the other", () => {
    const ofP = [
      baseline("P", { id: 1, clock: 100 }),
      ...["Pi", "Pk"].map((issue, at) => created(issue, { id: 2 + at, clock: 101 })),
      linked("Pi", { parent_set_uid: "Qj" }, { id: 4, clock: 130 }),
      linked("Pk", { parent_set_uid: "Pi" }, { id: 8, clock: 160 }),
    ];
    const ofQ = [
      baseline("Q", { id: 5, clock: 120 }),
      created("Qj", { id: 6, clock: 121 }),
      linked("Qj", { parent_set_uid: "Pk" }, { id: 7, clock: 140 }),
    ];
    const [onHub, onSpoke] = [foldedOf(...ofP, ...ofQ), foldedOf(...ofP)];
    expect(onHub.waitingParent("Qj")?.to_uid).toBe("Pk");
    expect(onHub.parentLink("Pi")?.to_uid).toBe("Qj");
    for (const state of [onHub, onSpoke]) expect(state.parentLink("Pk")?.to_uid).toBe("Pi");
  });

  test("8: a node that joins late, at a baseline of a circle of parents, lets the same link of the circle wait", () => {
    const issues = ["P1", "P2", "P3"];
    const before = [
      baseline("P", { id: 1, clock: 100 }),
      ...issues.map((issue, at) => created(issue, { id: 2 + at, clock: 101 })),
      linked("P2", { parent_set_uid: "P3" }, { id: 5, clock: 110 }),
      linked("P3", { parent_set_uid: "P1" }, { id: 6, clock: 120 }),
      linked("P1", { parent_set_uid: "P2" }, { id: 7, clock: 105 }),
    ];
    const onHub = foldedOf(...before);
    const refreshed = [
      baseline("P", { id: 8, clock: 200, hub: 8 }),
      ...issues.toReversed().map((issue, at) => {
        const hub = 9 + at;
        return snapshotOf(onHub, issue, { id: hub, clock: 200, hub });
      }),
    ];
    const joinedLate = foldedOf(...refreshed);
    const waiting = onHub.waitingParents();
    expect(waiting.map(({ from_uid }) => from_uid)).toEqual(["P3"]);
    expect(joinedLate.waitingParents()).toEqual(waiting);
    expect(new Set(joinedLate.rows("link"))).toEqual(new Set(onHub.rows("link")));
  });

  test("an event that the hub had before a baseline does not undo what the baseline says", () => {
    const state = foldedOf(
      baseline("P", { id: 1, clock: 50, hub: 1 }),
      created("Pi", { id: 2, clock: 51, hub: 2 }),
      retitled("Pi", "before", { id: 5, clock: 60, hub: 3 }),
      baseline("P", { id: 3, clock: 100, hub: 10 }),
      snapshot("Pi", { id: 4, clock: 100, hub: 11 }),
    );
    expect(state.issue("Pi")?.title).toBe("Pi");
  });

  test("an event that the hub does not have yet comes behind every baseline", () => {
    const state = foldedOf(
      baseline("P", { id: 1, clock: 50, hub: 1 }),
      created("Pi", { id: 2, clock: 51, hub: 2 }),
      retitled("Pi", "not sent", { id: 5, clock: 60 }),
      baseline("P", { id: 3, clock: 100, hub: 10 }),
      snapshot("Pi", { id: 4, clock: 100, hub: 11 }),
    );
    expect(state.issue("Pi")?.title).toBe("not sent");
  });

  test("the creation of a copy comes before the events that the copy receives, although they are older", () => {
    const state = foldedOf(
      event("project.created", { name: "P" }, { id: 1, clock: 500 }, { project_uid: "P" }),
      baseline("P", { id: 2, clock: 100, hub: 1 }),
      created("Pi", { id: 3, clock: 101, hub: 2 }),
    );
    expect(state.project("P")).toBeDefined();
    expect(state.issue("Pi")).toBeDefined();
  });
});

test("a list of fold places sorts like the order itself, and contains an event that was added twice only once", () => {
  fc.assert(
    fc.property(places, fc.array(fc.nat(19)), (log, again) => {
      const order = orderOf(log);
      const list = new PlaceList(order);
      const added = [...log, ...again.flatMap((at) => log[at] ?? [])];
      for (const one of added) list.add(one);
      const expected = [...log].sort((left, right) => order.compareByClock(left, right));
      expect([...list.sortedIds()]).toEqual(expected.map(({ id }) => id));
    }),
  );
});

test("a list of fold places grows beyond its initial size", () => {
  const list = new PlaceList(new FoldOrder([]));
  const made = (id: number): Place => ({
    ...{ id, uid: String(id).padStart(26, "0"), type: "issue.created", project_uid: "P" },
    ...{ origin_instance_uid: `I${id % 3}`, hlc_physical_ms: 5000 - id, hlc_counter: 0 },
  });
  for (let id = 1; id <= 5000; id += 1) list.add(made(id));
  expect([...list.sortedIds()]).toEqual(Array.from({ length: 5000 }, (_, at) => 5000 - at));
});
