import { boardRows } from "../../src/screen/board/board.ts";
import { isLanes } from "../../src/screen/board/lanes.ts";
import { cursorOf, rowCount } from "../../src/screen/lines.ts";
import type { Target } from "../../src/screen/message.ts";
import { rowOnLine } from "../../src/screen/scroll.ts";
import type { State } from "../../src/screen/state.ts";
import { boardHeight, boardLayout, isWide, plainLayout } from "../room.ts";
import { shownTarget } from "./board-lines.ts";
import { browsedAt } from "./browse.ts";
import { cardAt } from "./cards.ts";
import { PAINTERS, painterOf, type ScreenPainter } from "./painters.ts";
import { tabAt } from "./title.ts";

const FIRST_LINE = 2;

/** What a click in this column and line of the terminal points at, both counted from 0. */
export function placeAt(
  state: State,
  x: number,
  y: number,
  painters: readonly ScreenPainter[] = PAINTERS,
): Target | undefined {
  const { list, detail, browse } = boardLayout(state);
  const line = y - FIRST_LINE;
  if (list === undefined) return undefined;
  if (y === 0) {
    const screen = tabAt(state, state.window.columns, x);
    return screen === undefined ? undefined : { is: "screen", screen };
  }
  const painter = painterOf(painters, state.screen);
  const own = state.detail.open.length > 0 ? undefined : painter.targetAt?.(state, x, y);
  if (own !== undefined) return own;
  if (line < 0 || line >= list.height) return undefined;
  if (state.detail.open.length > 0) return { is: "detail" };
  if (state.screen === "board") {
    if (detail !== undefined && x >= detail.x) return { is: "detail" };
    if (browse !== undefined && x < browse.width)
      return { is: "browse", key: browsedAt(state, browse, line) };
    return x >= list.x && x < list.x + list.width ? boardAt(state, x, line - 1) : undefined;
  }
  const { detail: beside } = plainLayout(state);
  const taken =
    state.screen === "graph" && beside !== undefined && isWide(state) ? beside.width + 1 : 0;
  const pane = { x: 0, width: state.window.columns - taken, height: list.height };
  if (x > pane.width) return undefined;
  const { head, room } = painter.rowsIn?.(state, pane) ?? { head: 1, room: pane.height - 1 };
  return row(rowOnLine(line - head, cursorOf(state), rowCount(state), room));
}

function row(at: number | undefined): Target | undefined {
  return at === undefined ? undefined : { is: "row", at };
}

function boardAt(state: State, x: number, line: number): Target | undefined {
  const height = boardHeight(state);
  if (line < 0 || line >= height) return undefined;
  if (!isLanes(state)) return shownTarget(state, line, height);
  const at = cardAt(state, x, line);
  return at === undefined || at >= boardRows(state).length ? undefined : row(at);
}
