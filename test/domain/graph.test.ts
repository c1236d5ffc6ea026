import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findCriticalPath } from "../../src/domain/critical-path.ts";
import { type Edge, redundantEdges } from "../../src/domain/graph.ts";

const EVERYWHERE = () => true;

/** Parses `a>b b>c` to edges. */
function edges(text: string): readonly Edge[] {
  return text.split(" ").map((pair) => {
    const [from = "", to = ""] = pair.split(">");
    return { from, to };
  });
}

function shown(found: Iterable<Edge>): readonly string[] {
  return [...found].map(({ from, to }) => `${from}>${to}`).sort();
}

describe("edges that a drawing may omit", () => {
  test.each([
    ["a chain has none", "a>b b>c", []],
    ["a shortcut of two steps", "a>b b>c a>c", ["a>c"]],
    ["a shortcut of three steps", "a>b b>c c>d a>d", ["a>d"]],
    ["two ways of equal length are no shortcut", "a>b b>d a>c c>d", []],
    ["the first of two shortcuts does not need the second", "a>b b>c c>d a>c a>d", ["a>c", "a>d"]],
    ["a circle is needed", "a>b b>a", []],
    ["a circle of three is needed", "a>b b>c c>a", []],
    ["into a circle one way is enough", "a>b a>c b>c c>b", ["a>b"]],
  ])("are found as expected: %s", (_, text, expected) => {
    expect(shown(redundantEdges(edges(text)))).toEqual(expected);
  });

  test("are not needed to connect the issues, and are exactly the shortcuts if there is no circle", () => {
    fc.assert(
      fc.property(graphs({ circles: true }), (all) => {
        const redundant = redundantEdges(all);
        const kept = all.filter((edge) => !redundant.has(edge));
        expect(reach(kept)).toEqual(reach(all));
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(graphs({ circles: false }), (all) => {
        const shortcuts = all.filter((edge) => reaches(without(all, edge), edge.from, edge.to));
        expect(shown(redundantEdges(all))).toEqual(shown(shortcuts));
      }),
      { numRuns: 300 },
    );
  });

  test("are found in a chain of ten thousand issues", () => {
    const all = Array.from({ length: 10_000 }, (_, at) => ({ from: name(at), to: name(at + 1) }));
    const shortcut = { from: name(0), to: name(10_000) };
    expect(shown(redundantEdges([...all, shortcut]))).toEqual(shown([shortcut]));
  });
});

describe("the critical path", () => {
  test.each([
    ["one blocker", "a>b", ["a 1", "b 0"]],
    ["the longer of two chains", "a>d b>c c>d", ["b 2", "c 1", "d 0"]],
    [
      "an issue that waits in several ways is counted once",
      "a>b a>c b>d c>d",
      ["a 3", "b 1", "d 0"],
    ],
    [
      "the issues of a circle are all on the chain",
      "a>b b>c c>b c>d",
      ["a 3", "b 2", "c 2", "d 0"],
    ],
  ])("is found as expected: %s", (_, text, expected) => {
    const { path } = findCriticalPath(edges(text), EVERYWHERE);
    expect(path.map(({ uid, waiting }) => `${uid} ${waiting}`)).toEqual(expected);
  });

  test("prefers a chain that ends in a goal to an equally long one elsewhere", () => {
    const found = findCriticalPath(edges("a>b b>c c>d x>b"), (uid) => uid === "b");
    expect(found.path.map(({ uid }) => uid)).toEqual(["a", "b"]);
    expect(found.waited_for.map(({ uid, waiting }) => `${uid} ${waiting}`)).toEqual([
      "a 3",
      "x 3",
      "b 2",
    ]);
  });

  test("marks exactly the issues of a circle as being in a circle", () => {
    const { path } = findCriticalPath(edges("a>b b>c c>b"), EVERYWHERE);
    expect(path.filter(({ circle }) => circle).map(({ uid }) => uid)).toEqual(["b", "c"]);
  });

  test("is empty if there are no edges or the goal is on no edge", () => {
    expect(findCriticalPath([], EVERYWHERE)).toEqual({ path: [], waited_for: [] });
    expect(findCriticalPath(edges("a>b"), (uid) => uid === "z").path).toEqual([]);
  });

  test("agrees with trying every path one by one", () => {
    fc.assert(
      fc.property(graphs({ circles: false }), fc.func(fc.boolean()), (all, goal) => {
        const isGoal = (uid: string): boolean => goal(uid);
        const { path, waited_for } = findCriticalPath(all, isGoal);
        const ends = namesOf(all).filter(isGoal);
        expect(path.length).toBe(Math.max(0, ...ends.map((end) => longestTo(all, end))));
        for (const [at, { uid }] of path.entries()) {
          const next = path[at + 1]?.uid;
          if (next === undefined) expect(isGoal(uid)).toBe(true);
          else expect(all).toContainEqual({ from: uid, to: next });
        }
        const counted = namesOf(all)
          .filter((from) => ends.some((end) => end === from || reaches(all, from, end)))
          .map((uid) => [uid, namesOf(all).filter((to) => reaches(all, uid, to)).length] as const)
          .filter(([, count]) => count > 0);
        expect(new Map(waited_for.map(({ uid, waiting }) => [uid, waiting]))).toEqual(
          new Map(counted),
        );
      }),
      { numRuns: 300 },
    );
  });

  test("counts across more issues than fit into one portion", () => {
    const all = Array.from({ length: 2500 }, (_, at) => ({ from: name(at), to: name(at + 1) }));
    const { path, waited_for } = findCriticalPath(all, EVERYWHERE);
    expect(path.map(({ waiting }) => waiting)).toEqual(
      Array.from({ length: 2501 }, (_, at) => 2500 - at),
    );
    expect(waited_for).toEqual(path.slice(0, -1));
  });
});

const name = (at: number): string => `n${String(at).padStart(5, "0")}`;

/** At most 9 names, so that every path can be tried. */
function graphs({ circles }: { readonly circles: boolean }): fc.Arbitrary<readonly Edge[]> {
  const end = fc.integer({ min: 0, max: 8 });
  const pair = fc.tuple(end, end).filter(([from, to]) => (circles ? from !== to : from < to));
  return fc
    .uniqueArray(pair, { maxLength: 20, selector: ([from, to]) => `${from} ${to}` })
    .map((pairs) => pairs.map(([from, to]) => ({ from: name(from), to: name(to) })));
}

function namesOf(all: readonly Edge[]): readonly string[] {
  return [...new Set(all.flatMap(({ from, to }) => [from, to]))];
}

function without(all: readonly Edge[], edge: Edge): readonly Edge[] {
  return all.filter((other) => other !== edge);
}

function reaches(all: readonly Edge[], from: string, to: string): boolean {
  const seen = new Set<string>();
  const go = (at: string): boolean =>
    all.some((edge) => {
      if (edge.from !== at || seen.has(edge.to)) return false;
      seen.add(edge.to);
      return edge.to === to || go(edge.to);
    });
  return go(from);
}

function reach(all: readonly Edge[]): readonly string[] {
  const names = [...Array.from({ length: 9 }, (_, at) => name(at))];
  return names.flatMap((from) =>
    names.filter((to) => reaches(all, from, to)).map((to) => `${from} ${to}`),
  );
}

function longestTo(all: readonly Edge[], end: string): number {
  const before = all.filter(({ to }) => to === end).map(({ from }) => longestTo(all, from));
  return 1 + Math.max(0, ...before);
}
