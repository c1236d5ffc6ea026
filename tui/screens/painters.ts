import { isLanes } from "../../src/screen/board/lanes.ts";
import type { Target } from "../../src/screen/message.ts";
import type { Screen, State } from "../../src/screen/state.ts";
import type { Pane } from "../layout.ts";
import { boardLayout, fleetHead, fleetHeight, isWide, plainLayout } from "../room.ts";
import type { Paint } from "../style.ts";
import { drawBoard } from "./board.ts";
import { drawBrowse } from "./browse.ts";
import { cronRowsIn, cronStatus, cronTabAt, drawCron } from "./cron.ts";
import { drawDetail } from "./detail.ts";
import { drawFleet, fleetStatus } from "./fleet.ts";
import { drawGraph, graphRowsIn, graphStatus } from "./graph.ts";
import { drawInbox, inboxStatus, requestsIn } from "./inbox.ts";
import { drawLanes } from "./lanes.ts";
import { drawProjects, projectsStatus } from "./projects.ts";
import type { RowsIn } from "./rows.ts";
import { statusLine } from "./status.ts";

/** How the terminal draws a screen. Each screen of `src/screen/screens.ts` has one. */
export interface ScreenPainter {
  readonly name: Screen;
  /** The line below the title. */
  status(state: State, paint: Paint, width: number): string;
  /** Returns as many lines as the pane is high, each as wide as the pane. */
  draw(state: State, paint: Paint, pane: Pane): readonly string[];
  /**
   * Where the rows are in the pane, for the mouse. Without this function, the rows begin below one line of headings.
   */
  readonly rowsIn?: (state: State, pane: Pane) => RowsIn;
  /**
   * Returns the target of a click in this column and line of the terminal; `undefined` if only shared targets are
   * there.
   */
  readonly targetAt?: (state: State, x: number, y: number) => Target | undefined;
}

export const PAINTERS: readonly ScreenPainter[] = [
  { name: "board", status: statusLine, draw: boardPanes },
  { name: "inbox", status: inboxStatus, draw: drawInbox, rowsIn: requestsIn },
  { name: "graph", status: graphStatus, draw: graphPanes, rowsIn: graphRowsIn },
  {
    name: "cron",
    status: cronStatus,
    draw: drawCron,
    rowsIn: cronRowsIn,
    targetAt: cronTabAt,
  },
  { name: "projects", status: projectsStatus, draw: drawProjects },
  {
    name: "fleet",
    status: fleetStatus,
    draw: drawFleet,
    rowsIn: (state) => ({ head: fleetHead(state), room: fleetHeight(state) }),
  },
];

export function painterOf(painters: readonly ScreenPainter[], name: Screen): ScreenPainter {
  const found = painters.find((one) => one.name === name);
  if (found === undefined) throw new Error(`nothing draws the screen ${name}`);
  return found;
}

function boardPanes(state: State, paint: Paint, { height }: Pane): readonly string[] {
  const { list, browse, detail } = boardLayout(state);
  if (list === undefined) return [];
  return beside(height, [
    browse === undefined ? undefined : drawBrowse(state, paint, browse),
    isLanes(state) ? drawLanes(state, paint, list) : drawBoard(state, paint, list),
    detail === undefined ? undefined : drawDetail(state, paint, detail),
  ]);
}

function graphPanes(state: State, paint: Paint, pane: Pane): readonly string[] {
  const { detail } = plainLayout(state);
  if (detail === undefined || !isWide(state)) return drawGraph(state, paint, pane);
  const tree = { ...pane, width: pane.width - detail.width - 1 };
  return beside(pane.height, [drawGraph(state, paint, tree), drawDetail(state, paint, detail)]);
}

function beside(
  height: number,
  panes: readonly (readonly string[] | undefined)[],
): readonly string[] {
  const shown = panes.filter((pane) => pane !== undefined);
  return Array.from({ length: height }, (_none, at) =>
    shown.map((pane) => pane[at] ?? "").join(" "),
  );
}
