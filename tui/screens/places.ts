import { boardRows, topRow } from "../../src/screen/board/board.ts";
import { isLanes } from "../../src/screen/board/lanes.ts";
import { fleetRows } from "../../src/screen/fleet/fleet.ts";
import type { Target } from "../../src/screen/message.ts";
import { shownAt } from "../../src/screen/scroll.ts";
import type { State } from "../../src/screen/state.ts";
import { boardHeight, boardLayout, fleetHead, fleetHeight, isWide, plainLayout } from "../room.ts";
import { browsedAt } from "./browse.ts";
import { cardAt } from "./cards.ts";
import { cronRowAt, cronTabAt } from "./cron.ts";
import { graphRowAt } from "./graph.ts";
import { requestAt } from "./inbox.ts";
import { tabAt } from "./title.ts";

const FIRST_LINE = 2;

export function placeAt(state: State, x: number, y: number): Target | undefined {
  const { list, detail, browse } = boardLayout(state);
  const line = y - FIRST_LINE;
  if (list === undefined) return undefined;
  if (y === 0) {
    const screen = tabAt(state, state.window.columns, x);
    return screen === undefined ? undefined : { is: "screen", screen };
  }
  if (y === 1 && state.screen === "cron" && state.detail.open.length === 0) {
    const tab = cronTabAt(state, state.window.columns, x);
    return tab === undefined ? undefined : { is: "tab", tab };
  }
  if (line < 0 || line >= list.height) return undefined;
  if (state.detail.open.length > 0) return { is: "detail" };
  if (state.screen === "board") {
    if (detail !== undefined && x >= detail.x) return { is: "detail" };
    if (browse !== undefined && x < browse.width)
      return { is: "browse", key: browsedAt(state, browse, line) };
    return x >= list.x && x < list.x + list.width ? row(boardRowAt(state, x, line - 1)) : undefined;
  }
  const whole = { x: 0, width: state.window.columns, height: list.height };
  switch (state.screen) {
    case "inbox":
      return row(requestAt(state, whole, line));
    case "graph": {
      const { detail: beside } = plainLayout(state);
      const taken = beside !== undefined && isWide(state) ? beside.width + 1 : 0;
      const tree = { ...whole, width: whole.width - taken };
      return x > tree.width ? undefined : row(graphRowAt(state, tree, line));
    }
    case "cron":
      return row(cronRowAt(state, whole, line));
    case "projects": {
      const count = state.projects.all.length === 0 ? 0 : state.projects.all.length + 1;
      return row(shownAt(line - 1, state.projects.cursor, count, list.height - 1));
    }
    case "fleet":
      return row(
        shownAt(
          line - fleetHead(state),
          state.fleet.cursor,
          fleetRows(state).length,
          fleetHeight(state),
        ),
      );
  }
}

function row(at: number | undefined): Target | undefined {
  return at === undefined ? undefined : { is: "row", at };
}

function boardRowAt(state: State, x: number, line: number): number | undefined {
  if (line < 0 || line >= boardHeight(state)) return undefined;
  const at = isLanes(state) ? cardAt(state, x, line) : topRow(state) + line;
  return at === undefined || at >= boardRows(state).length ? undefined : at;
}
