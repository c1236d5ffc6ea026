import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instantToMs, msToInstant } from "../../src/base/clock.ts";
import type { StoredEvent } from "../../src/contract/events.ts";
import { foldLog, type MemoryState } from "../../src/domain/memory.ts";
import { eventOf } from "./rows.ts";

const T0 = "2026-01-01T00:00:00.000Z";
const at = (second: number): string => msToInstant(instantToMs(T0) + second * 1000);

function made(uid: string, project_uid = "P", links: readonly object[] = []): StoredEvent {
  return eventOf(
    "issue.created",
    {
      ...{ uid, short_id: uid.toLowerCase(), title: uid, body: "", author: "ann", status: "open" },
      ...{ metadata: {}, created_at: T0 },
      ...(links.length === 0 ? {} : { links: links as never }),
    },
    { issue_uid: uid, project_uid },
  );
}

/** A change of the links of an issue, at a second after the start of the test. */
function changed(issue_uid: string, second: number, changes: object): StoredEvent {
  return eventOf(
    "issue.links_changed",
    { updated_at: at(second), created_at: at(second), ...changes },
    { issue_uid },
  );
}

const below = (child: string, parent: string, second = 0): StoredEvent =>
  changed(child, second, { parent_set_uid: parent });
const blocks = (from: string, to: string): StoredEvent =>
  changed(from, 0, { blocks_added_uids: [to] });

/** The links as texts, those that are there and those that wait. */
function linksIn(state: MemoryState) {
  const texts = (table: "link" | "waiting_link") =>
    [...state.rows(table)].map((row) => `${row.from_uid} ${row.type} ${row.to_uid}`).sort();
  return { there: texts("link"), waiting: texts("waiting_link") };
}

const linksAfter = (...events: readonly StoredEvent[]) => linksIn(foldLog(events));

describe("a link to an issue that is missing", () => {
  test("waits, and appears when the missing issue is created", () => {
    expect(linksAfter(made("A"), blocks("A", "B"))).toEqual({
      there: [],
      waiting: ["A blocks B"],
    });
    expect(linksAfter(made("A"), blocks("A", "B"), made("B"))).toEqual({
      there: ["A blocks B"],
      waiting: [],
    });
  });

  test("waits too if the link starts at the missing issue", () => {
    const blocked = changed("A", 0, { blocked_by_added_uids: ["B"] });
    expect(linksAfter(made("A"), blocked).waiting).toEqual(["B blocks A"]);
    expect(linksAfter(made("A"), blocked, made("B")).there).toEqual(["B blocks A"]);
  });

  test("can be removed while it waits", () => {
    const back = changed("A", 0, { blocks_removed_uids: ["B"] });
    expect(linksAfter(made("A"), blocks("A", "B"), back, made("B"))).toEqual({
      there: [],
      waiting: [],
    });
  });

  test("replaces the child's earlier parent, and is itself replaced by a later parent", () => {
    const start = [made("A"), made("B"), made("C"), below("A", "B")];
    expect(linksAfter(...start, below("A", "X"))).toEqual({
      there: [],
      waiting: ["A parent X"],
    });
    expect(linksAfter(...start, below("A", "X"), below("A", "C"))).toEqual({
      there: ["A parent C"],
      waiting: [],
    });
  });

  test("keeps the author and the time of the event that set it", () => {
    const state = foldLog([
      made("A"),
      changed("A", 7, { author: "bea", blocks_added_uids: ["B"] }),
    ]);
    expect(state.waitingLink("A", "B", "blocks")).toMatchObject({
      author: "bea",
      created_at: at(7),
    });
  });
});

describe("a circle of parents", () => {
  const three = [made("A"), made("B"), made("C")];
  const links = [below("A", "B", 1), below("B", "C", 2), below("C", "A", 3)] as const;

  test("a circle of parents lets the youngest link wait, in whatever order the events come", () => {
    const [first, second, third] = links;
    for (const order of [
      [first, second, third],
      [third, second, first],
      [second, third, first],
      [third, first, second],
    ])
      expect(linksAfter(...three, ...order)).toEqual({
        there: ["A parent B", "B parent C"],
        waiting: ["C parent A"],
      });
  });

  test("a circle of parents lets the link with the larger uid wait if all links have the same time", () => {
    const same = [below("B", "C"), below("C", "A"), below("A", "B")];
    expect(linksAfter(...three, ...same).waiting).toEqual(["C parent A"]);
  });

  test("a parent link from an issue to itself is ignored", () => {
    expect(linksAfter(made("A"), below("A", "A"))).toEqual({ there: [], waiting: [] });
  });

  test.each([
    ["another link of it is removed", changed("A", 4, { parent_removed_uid: "B" })],
    ["another issue of it gets another parent", below("A", "D", 4)],
  ])("a circle of parents ends when %s, and the waiting link appears", (_, end) => {
    const { there, waiting } = linksAfter(...three, made("D"), ...links, end);
    expect(waiting).toEqual([]);
    expect(there).toContain("C parent A");
  });

  test("a circle of parents does not end when its waiting link is removed, and this link never appears", () => {
    const end = changed("C", 4, { parent_removed_uid: "A" });
    expect(linksAfter(...three, ...links, end)).toEqual({
      there: ["A parent B", "B parent C"],
      waiting: [],
    });
  });

  test("a circle of parents does not count while one of its issues is missing", () => {
    const muchLater = 100_000_000;
    const events = [made("A"), made("B"), below("A", "B", muchLater), below("B", "C", 2)];
    expect(linksAfter(...events)).toEqual({ there: ["A parent B"], waiting: ["B parent C"] });
    const child = [{ type: "parent", to_issue_uid: "A", to_short_id: "a", author: "ann" }];
    expect(linksAfter(...events, made("C", "P", child))).toEqual({
      there: ["B parent C", "C parent A"],
      waiting: ["A parent B"],
    });
  });

  test("in a circle of parents through two projects, the youngest link between the projects waits, even if one inside is younger", () => {
    const events = [made("Pi"), made("Pk"), made("Qj", "Q")];
    const circle = [below("Qj", "Pk", 1), below("Pi", "Qj", 2), below("Pk", "Pi", 3)];
    expect(linksAfter(...events, ...circle)).toEqual({
      there: ["Pk parent Pi", "Qj parent Pk"],
      waiting: ["Pi parent Qj"],
    });
  });

  test("a circle of parents lets another link wait after one of its issues has moved to the other project", () => {
    const events = [made("Pi"), made("Pk"), made("Qj", "Q")];
    const circle = [below("Qj", "Pk", 1), below("Pi", "Qj", 2), below("Pk", "Pi", 3)];
    const moved = eventOf(
      "issue.moved",
      {
        ...{ from_project_uid: "Q", to_project_uid: "P", from_short_id: "qj", to_short_id: "qj" },
        updated_at: T0,
      },
      { issue_uid: "Qj", project_uid: "P" },
    );
    expect(linksAfter(...events, ...circle, moved).waiting).toEqual(["Pk parent Pi"]);
  });
});

describe("random changes of links", () => {
  const ISSUES = ["A", "B", "C", "D", "E", "F", "G"];
  const issue = fc.constantFrom(...ISSUES);
  const step = fc.record({
    issue,
    other: issue,
    what: fc.constantFrom(
      "parent_set_uid",
      "parent_removed_uid",
      "blocks_added_uids",
      "related_added_uids",
      "blocks_removed_uids",
    ),
  });
  const projectOf = (uid: string): string => (uid < "E" ? "P" : "Q");
  const creation = (uid: string): StoredEvent => made(uid, projectOf(uid));

  test("give the same links, however late the issues at the other ends are created", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const events = steps.map(({ issue: own, other, what }, second) =>
          changed(own, second, { [what]: what.endsWith("uids") ? [other] : other }),
        );
        const early = foldLog([...ISSUES.map(creation), ...events]);
        const left = new Set(ISSUES);
        const late = events.flatMap((event) => {
          const isFirst = left.delete(event.issue_uid ?? "");
          return isFirst ? [creation(event.issue_uid ?? ""), event] : [event];
        });
        expect(linksIn(foldLog([...late, ...[...left].map(creation)]))).toEqual(linksIn(early));
      }),
      { numRuns: 500 },
    );
  });

  test("never create a circle of parents, and leave each child at most one parent", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const events = steps.map(({ issue: own, other, what }, second) =>
          changed(own, second, { [what]: what.endsWith("uids") ? [other] : other }),
        );
        const state = foldLog([...ISSUES.map(creation), ...events]);
        for (const start of ISSUES) {
          const seen = new Set<string>();
          for (
            let at = state.parentLink(start);
            at !== undefined;
            at = state.parentLink(at.to_uid)
          ) {
            expect(seen.has(at.from_uid)).toBe(false);
            seen.add(at.from_uid);
          }
          const parents = [...state.linksOf(start), ...state.waitingLinksOf(start)].filter(
            ({ type, from_uid }) => type === "parent" && from_uid === start,
          );
          expect(parents.length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 500 },
    );
  });
});
