import { describe, expect, test } from "vitest";
import { letterInGraph } from "../../src/screen/graph/nodes.ts";
import { nearestOf, pictureOf } from "../../src/screen/graph/picture.ts";
import type { GraphState } from "../../src/screen/graph/state.ts";
import { issue, type Session, screen } from "../tui/support.ts";

type Kind = "parent" | "blocks" | "related";
type Edge = readonly [from: number, to: number, kind?: Kind, layout?: boolean];

const uid = (n: number): string => issue(n).uid;

/** The graph of issue 1 with these links; the issues of `closed` are closed. */
function graph(edges: readonly Edge[], closed: readonly number[] = []): Session {
  const numbers = [...new Set([1, ...edges.flatMap(([from, to]) => [from, to])])];
  const nodes = numbers.map((n) => ({
    ...issue(n, { status: closed.includes(n) ? "closed" : "open" }),
    id: n,
  }));
  const data = {
    ...{ source_uid: uid(1), depth: "full", hide_done: false, nodes, unresolved_refs: [] },
    edges: edges.map(([from, to, kind = "blocks", layout = true]) => {
      return { from_uid: uid(from), to_uid: uid(to), kind, layout };
    }),
  } as unknown as NonNullable<GraphState["data"]>;
  const session = screen(80, 24, [issue(1)]).keys("3");
  session.tell({ type: "graph", source: uid(1), graph: { data, error: undefined } });
  return session;
}

const criticalOf = (session: Session): readonly string[] =>
  (pictureOf(session.state)?.links ?? [])
    .filter(({ critical }) => critical)
    .map(({ from, to }) => `${Number(from.slice(-3))}>${Number(to.slice(-3))}`);

describe("the picture of a graph", () => {
  test("is absent before the graph is loaded", () => {
    expect(pictureOf(screen(80, 24, [issue(1)]).keys("3").state)).toBeUndefined();
  });

  test("has the issues of the rows and the links between them", () => {
    const picture = pictureOf(
      graph([
        [2, 1],
        [1, 3, "parent"],
        [3, 4, "related"],
      ]).state,
    );
    expect(picture?.uids).toEqual([1, 2, 3, 4].map(uid));
    expect(picture?.links.map(({ kind }) => kind)).toEqual(["blocks", "parent", "related"]);
  });

  test.each([
    [1, [1]],
    [2, [1, 2]],
    [3, [1, 2, 3]],
    [4, [1, 2, 3, 4]],
    [9, [1, 2, 3, 4]],
  ])(
    "a picture of the %i nearest issues shows those that are the fewest links away from its issue",
    (count, near) => {
      const picture = pictureOf(
        graph([
          [4, 3],
          [2, 1],
          [3, 2],
        ]).state,
      );
      if (picture === undefined) throw new Error("no picture");
      const { uids, links } = nearestOf(picture, uid(1), count);
      expect(uids.toSorted()).toEqual(near.map(uid));
      expect(links).toHaveLength(near.length - 1);
    },
  );

  test("leaves out implied links until they are requested", () => {
    const session = graph([
      [2, 1],
      [3, 2],
      [3, 1, "blocks", false],
    ]);
    expect(pictureOf(session.state)?.links).toHaveLength(2);
    expect(pictureOf(session.keys("T").state)?.links).toHaveLength(3);
  });

  test("leaves out folded issues, even while the chain is shown", () => {
    const session = graph([
      [2, 1],
      [3, 2],
    ]).keys("j", "left");
    expect(pictureOf(session.state)?.uids).toEqual([1, 2].map(uid));
    expect(pictureOf(session.keys("C").state)?.uids).toEqual([1, 2].map(uid));
  });
});

test.each([
  ["nothing blocks it", [[1, 2]], [], []],
  [
    "the longer chain",
    [
      [2, 1],
      [3, 2],
      [4, 1],
    ],
    [],
    ["2>1", "3>2"],
  ],
  [
    "a closed blocker ends a chain",
    [
      [2, 1],
      [3, 2],
      [4, 1],
      [5, 4],
    ],
    [3],
    ["4>1", "5>4"],
  ],
  [
    "only blockers count",
    [
      [2, 1, "parent"],
      [3, 1],
    ],
    [],
    ["3>1"],
  ],
  [
    "a circle is one step",
    [
      [2, 1],
      [3, 2],
      [2, 3],
    ],
    [],
    ["2>1", "3>2", "2>3"],
  ],
] as const)("the critical path in the picture: %s", (_, edges, closed, steps) => {
  expect(criticalOf(graph(edges, closed))).toEqual(steps);
});

test("an issue that is not on the board is blocked while an open issue blocks it", () => {
  const { state } = graph(
    [
      [2, 3],
      [4, 5],
      [1, 2],
      [1, 4],
    ],
    [4],
  );
  expect([1, 2, 3, 4, 5].map((n) => letterInGraph(state, uid(n)))).toEqual([
    "o",
    "b",
    "b",
    "x",
    "o",
  ]);
});
