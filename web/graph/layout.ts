import { Graph, layout } from "@dagrejs/dagre";

/** The size of the box of an issue. It is the same for all, so that a changed title moves nothing. */
export const BOX = { width: 208, height: 46 } as const;

/** A graph to lay out: the number of its boxes, and its links. A link names its two boxes by number, from 0. */
export interface Shape {
  readonly boxes: number;
  readonly links: readonly (readonly [from: number, to: number])[];
}

type Point = readonly [x: number, y: number];

export interface Places {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Point[];
  readonly links: readonly (readonly Point[])[];
}

const GAPS = { nodesep: 14, edgesep: 8, ranksep: 56, marginx: 16, marginy: 16 } as const;

/** How far a link runs straight to the right at its ends, so that its arrow points into the box. */
const STRAIGHT_PX = 20;

/** Puts the boxes into layers from left to right. All links lead to the right, except some links of a cycle. */
export function placesOf({ boxes, links }: Shape): Places {
  const graph = new Graph({ multigraph: true });
  // `tight-tree` makes the layers about ten times as fast as the default, and the pictures are hardly wider.
  graph.setGraph({ rankdir: "LR", ranker: "tight-tree", ...GAPS });
  for (let box = 0; box < boxes; box++) graph.setNode(String(box), { ...BOX });
  // Each link gets a name, because two issues may have several links.
  for (const [at, [from, to]] of links.entries())
    graph.setEdge(String(from), String(to), {}, String(at));
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  const middles = Array.from({ length: boxes }, (_, box) => pointOf(graph.node(String(box))));
  return {
    width,
    height,
    boxes: middles,
    links: links.map(([from, to], at) => {
      const { points } = graph.edge(String(from), String(to), String(at));
      return fromSideToSide(points.map(pointOf), middles[from], middles[to]);
    }),
  };
}

/** Moves the ends of a link that leads to the right to the middle of the sides of its two boxes. */
function fromSideToSide(points: readonly Point[], from?: Point, to?: Point): readonly Point[] {
  if (from === undefined || to === undefined || to[0] - from[0] < BOX.width) return points;
  const half = BOX.width / 2;
  const [start, end] = [from[0] + half, to[0] - half];
  return [
    [start, from[1]],
    [start + STRAIGHT_PX, from[1]],
    ...points.slice(1, -1),
    [end - STRAIGHT_PX, to[1]],
    [end, to[1]],
  ];
}

function pointOf({ x = 0, y = 0 }: { readonly x?: number; readonly y?: number }): Point {
  return [Math.round(x), Math.round(y)];
}
