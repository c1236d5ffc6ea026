import { describe, expect, test } from "vitest";
import { TransportFault } from "../../src/client/http/transport-fault.ts";
import { detailUid } from "../../src/screen/detail/detail.ts";
import { isTimeout } from "../../src/screen/effects/failures.ts";
import { graphIssue } from "../../src/screen/graph/graph.ts";
import type { GraphState } from "../../src/screen/graph/state.ts";
import { UnavailableError } from "../../src/shared/answer-errors.ts";
import { golden } from "../support/golden.ts";
import { picture, text } from "./picture.ts";
import { issue, liveEvent, type Session, screen } from "./support.ts";

const issues = [
  issue(1, { title: "Federation rotate", priority: 1 }),
  issue(2, { title: "Replay enrollment", priority: 1, blocked_by: [issue(1).uid], blocked: true }),
  issue(3, { title: "409 body for token conflict", priority: 2 }),
];
const foreign = issue(9, { title: "Retry budget", qualified_id: "infra#k009", project_id: 2 });

const edge = (from: number, to: number, kind: "parent" | "blocks" | "related", layout = true) => {
  return { from_uid: issue(from).uid, to_uid: issue(to).uid, kind, layout };
};

const data = {
  source_uid: issue(1).uid,
  depth: "full",
  hide_done: true,
  nodes: [...issues, foreign].map((one) => ({ ...one, id: 1 })),
  edges: [
    edge(1, 2, "blocks"),
    edge(2, 3, "blocks"),
    edge(1, 9, "related"),
    edge(1, 3, "blocks", false),
  ],
  unresolved_refs: [
    { uid: issue(1).uid, side: "to", kind: "blocks", other_uid: "01J9ZK4T7Q8M2V3W5X6Y7Z8A9B" },
  ],
} as unknown as NonNullable<GraphState["data"]>;

test("the key 3 on a screen without an issue shows the graph of the board's issue, or says that there is none", () => {
  const session = screen(80, 24, issues).keys("j");
  const uid = session.state.board.cursor;
  expect(session.keys("2", "3").state).toMatchObject({ screen: "graph", graph: { source: uid } });
  const nothing = screen(80, 24, []).keys("2", "3").state;
  expect([nothing.screen, nothing.messages.notice?.text]).toEqual([
    "inbox",
    "no issue is selected",
  ]);
});

function graph(columns = 80, rows = 24): Session {
  const session = screen(columns, rows, issues).keys("v");
  while (session.cursor !== "k001") session.keys("j");
  session.keys("3");
  session.tell({ type: "graph", source: issue(1).uid, graph: { data, error: undefined } });
  return session;
}

test.each([
  [80, 24],
  [160, 50],
])("the graph at %ix%i matches its golden picture", (columns, rows) => {
  const seen = text(graph(columns, rows));
  expect(seen).toBe(golden(`test/golden/tui/graph-${columns}x${rows}.txt`, seen));
});

test("the key 3 shows the graph of the current or open issue, and changes nothing in the graph itself", () => {
  const session = screen(80, 24, issues).keys("v");
  while (session.cursor !== "k002") session.keys("j");
  session.keys("3");
  expect(session.state.graph?.source).toBe(issue(2).uid);
  expect(session.keys("j", "3").state.graph?.source).toBe(issue(2).uid);
  session.keys("1", "g");
  const first = session.state.board.cursor;
  expect(session.keys("enter", "3").state.graph?.source).toBe(first);
});

test("a graph that is loaded again stays visible meanwhile", () => {
  const session = graph().keys("j", "1", "3");
  expect(session.state.graph).toMatchObject({ data, cursor: 1 });
  expect(session.effects).toContainEqual(
    expect.objectContaining({ effect: "load-graph", source: issue(1).uid, wait: 0 }),
  );
});

test("issues of other projects name their project, and implied links are shown only after T", () => {
  const session = graph();
  expect(picture(session).some((line) => line.includes("-related- infra#k009"))).toBe(true);
  expect(picture(session).some((line) => line.includes("-blocks-> k002"))).toBe(true);
  expect(picture(session).at(-2)).toContain("1 link hidden that others imply: T shows it");
  const linked = () => picture(session).filter((line) => / k00[23] /.test(line)).length;
  const before = linked();
  session.keys("T");
  expect(linked()).toBe(before + 1);
  expect(picture(session).at(-2)).not.toContain("hidden");
});

test("from 140 columns on the issue under the cursor is shown beside the graph", () => {
  const session = graph(160, 50).keys("j", "j");
  expect(detailUid(session.state)).toBe(issue(2).uid);
  expect(session.effects).toContainEqual(
    expect.objectContaining({ effect: "load-detail", uid: issue(2).uid, now: false }),
  );
  expect(picture(session).some((line) => /k002 +blocked {2}P1/.test(line))).toBe(true);
  expect(detailUid(graph(139, 50).keys("j").state)).toBeUndefined();
});

test.each([
  ["an issue that is drawn", issue(3).uid, true],
  ["another", issue(8).uid, false],
])("an event about %s (%s) loads the graph again: %s", (_name, uid, isRead) => {
  const effects = graph().tell({ type: "events", events: [liveEvent({ uid, uids: [uid] })] });
  const loads = effects.filter(({ effect }) => effect === "load-graph");
  expect(loads).toEqual(isRead ? [expect.objectContaining({ wait: 500 })] : []);
});

test("the graph counts as too big only if its answer timed out, not if the connection was lost", () => {
  const cause = (kind: "timeout" | "lost") => ({ cause: new TransportFault(kind, "late") });
  expect(isTimeout(new UnavailableError("no answer", cause("timeout")))).toBe(true);
  expect(isTimeout(new UnavailableError("no answer", cause("lost")))).toBe(false);
  expect(isTimeout("late")).toBe(false);
});

test("a chain of 1,000 issues is drawn and walked through at once", () => {
  const many = Array.from({ length: 1000 }, (_none, at) => issue(at + 1));
  const edges = many.slice(1).map((_one, at) => edge(at + 1, at + 2, "blocks"));
  const nodes = many.map((one) => ({ ...one, id: 1 }));
  const session = graph();
  const whole = { ...data, nodes, edges, unresolved_refs: [] } as unknown as typeof data;
  session.tell({ type: "graph", source: issue(1).uid, graph: { data: whole } });
  session.keys("G");
  expect(picture(session).at(-2)).toMatch(/1000\/1000$/);
  expect(picture(session.keys("g", "left")).at(-2)).toMatch(/1\/1$/);
});

describe("a link in the graph", () => {
  const drawn = (edges: readonly object[], columns = 80, missing: readonly object[] = []) => {
    const session = graph(columns, 24);
    const part = { ...data, edges, unresolved_refs: missing } as unknown as typeof data;
    session.tell({ type: "graph", source: issue(1).uid, graph: { data: part } });
    return picture(session)
      .slice(2, -2)
      .filter((line) => line !== "");
  };

  test.each([
    ["the parent of", edge(1, 2, "parent"), " `-parent of-> k002"],
    ["a child of", edge(2, 1, "parent"), " `-child of-> k002"],
    ["what blocks", edge(1, 2, "blocks"), " `-blocks-> k002"],
    ["what is blocked by", edge(2, 1, "blocks"), " `-blocked by-> k002"],
    ["related to", edge(1, 2, "related"), " `-related- k002"],
    ["related, the other way round, to", edge(2, 1, "related"), " `-related- k002"],
  ])("reads from the line above, which is %s the issue on its own line", (_what, link, start) => {
    const lines = drawn([link]);
    expect(lines).toHaveLength(2);
    expect(lines[1]?.startsWith(start)).toBe(true);
  });

  test.each([
    ["to", "   k001 -blocks-> 01JX  (not there)"],
    ["from", "   k001 -blocked by-> 01JX  (not there)"],
  ])(
    "a link whose end on the side %s is missing is described in the same direction",
    (side, expected) => {
      const missing = [{ uid: issue(1).uid, side, kind: "blocks", other_uid: "01JX" }];
      expect(drawn([], 80, missing).at(-1)).toBe(expected);
    },
  );

  test("is drawn once, even if both its ends are reached in other ways", () => {
    const lines = drawn([edge(1, 2, "parent"), edge(1, 3, "parent"), edge(2, 3, "blocks")]);
    expect(lines.map((line) => line.slice(0, 22).trimEnd())).toEqual([
      ">product#k001  o P1  F",
      " |-parent of-> k002  b",
      " `-parent of-> k003  o",
      "    `-blocked by-> k00",
    ]);
    expect(lines[3]).toContain("(seen above)");
  });

  test("a link that is folded away is drawn where its other end appears", () => {
    const edges = [edge(1, 2, "parent"), edge(2, 3, "blocks"), edge(1, 3, "related")];
    const session = graph();
    session.tell({
      type: "graph",
      source: issue(1).uid,
      graph: { data: { ...data, edges } as never },
    });
    session.keys("j", "left");
    const lines = picture(session)
      .slice(2, 6)
      .map((line) => line.slice(0, 20));
    expect(lines).toEqual([
      " product#k001  o P1 ",
      ">|-parent of-> k002 ",
      " `-related- k003  o ",
      "    `-blocked by-> k",
    ]);
  });

  test("a link of the source is drawn directly below the source, before more distant links", () => {
    const chain = [edge(1, 2, "blocks"), edge(2, 3, "blocks"), edge(3, 4, "blocks")];
    const lines = drawn([...chain, edge(4, 1, "related"), edge(1, 5, "related")]);
    expect(lines.map((line) => line.slice(0, 24))).toEqual([
      ">product#k001  o P1  Fed",
      " |-related- 01J000000000",
      " |-related- 01J000000000",
      " `-blocks-> k002  b P1  ",
      "    `-blocks-> k003  o P",
      "       `-blocks-> 01J000",
    ]);
  });

  test.each([80, 54, 50, 40])(
    "keeps its description beside a long title at %i columns",
    (columns) => {
      const long = [...issues, issue(4, { title: "t".repeat(200), owner: "ana" })];
      const session = screen(columns, 24, long).keys("v");
      while (session.cursor !== "k001") session.keys("j");
      session.keys("3");
      const edges = [edge(1, 4, "parent"), edge(1, 2, "blocks"), edge(2, 4, "blocks")];
      const nodes = long.map((one) => ({ ...one, id: 1 }));
      const part = { ...data, nodes, edges, unresolved_refs: [] } as unknown as typeof data;
      session.tell({ type: "graph", source: issue(1).uid, graph: { data: part } });
      const [first = "", again = ""] = [picture(session)[3], picture(session)[5]];
      expect(first).toMatch(columns < 50 ? /~/ : /~ {2}@ana$/);
      expect(again.length).toBeLessThanOrEqual(columns);
      if (columns === 80) expect(again).toMatch(/~ {2}@ana {2}\(seen above\)$/);
      // The owner is left out in favour of the note, which says that the lines below are left out.
      if (columns === 54) expect(again).toMatch(/~ {2}\(seen above\)$/);
      expect(picture(session.keys("j"))[3]?.slice(1)).toBe(first.slice(1));
    },
  );
});

test("esc leads from the chain to the tree, then to the previous graph, and then to the board", () => {
  const session = graph().keys("j", "j", "R");
  expect(session.state.graph).toMatchObject({ source: issue(2).uid, before: [issue(1).uid] });
  session.keys("C", "esc");
  expect(session.state.graph).toMatchObject({ source: issue(2).uid, showChain: false });
  session.keys("esc");
  expect(session.state.graph).toMatchObject({ source: issue(1).uid, before: [] });
  expect(session.keys("esc").state.screen).toBe("board");
});

test("the cursor stays on its issue when the graph is loaded again, and when more or less of it is drawn", () => {
  const session = graph();
  const { nodes, edges } = data;
  while (graphIssue(session.state) !== foreign.uid) session.keys("j");
  session.keys("T");
  expect(graphIssue(session.state)).toBe(foreign.uid);
  const more = [{ ...edge(1, 8, "parent") }, ...edges];
  const read = { ...data, nodes: [...nodes, { ...issue(8), id: 8 }], edges: more } as typeof data;
  session.tell({ type: "graph", source: issue(1).uid, graph: { data: read } });
  expect(graphIssue(session.state)).toBe(foreign.uid);
  const less = { ...data, nodes: nodes.slice(0, 1), edges: [], unresolved_refs: [] };
  session.tell({ type: "graph", source: issue(1).uid, graph: { data: less } });
  expect(graphIssue(session.state)).toBe(issue(1).uid);
});

test("the graph of another project's issue is loaded there, and an unknown issue changes nothing", () => {
  const session = graph();
  while (graphIssue(session.state) !== foreign.uid) session.keys("j");
  expect(session.keys("R").effects).toMatchObject([
    { effect: "load-graph", source: foreign.uid, at: { project_id: 2, ref: "k009" } },
  ]);
  session.tell({ type: "graph", source: foreign.uid, graph: { data: { ...data, nodes: [] } } });
  session.changed([], [issue(1).uid]);
  expect(session.keys("esc").state.screen).toBe("board");
});

test("a command applies to the issue under the cursor, whatever is marked on the board", () => {
  const session = screen(80, 24, issues).keys("v", "space", "G", "3");
  session.tell({ type: "graph", source: issue(1).uid, graph: { data, error: undefined } });
  expect(session.keys("!", "0").writes).toMatchObject([{ at: { uid: issue(1).uid } }]);
  expect(session.keys("1", "!", "1").writes).toMatchObject([{ at: { uid: issue(3).uid } }]);
});

test("enter on a line without an issue opens nothing, and a message says so", () => {
  const session = graph().keys("G", "enter");
  expect(session.state.detail.open).toEqual([]);
  expect(session.state.messages.notice?.text).toBe("there is no issue on this line");
});

test("the key [ has an effect at the first press, since it counts down from the farthest issue", () => {
  // The farthest issue is two links away.
  expect(graph().keys("[").state.graph?.depth).toBe(1);
  expect(graph().keys("[", "]").state.graph?.depth).toBe(2);
});
