import { detailUid } from "../detail/detail.ts";
import type { State } from "../state.ts";
import { boardRows, topRow } from "./board.ts";
import { cardsOf } from "./lane-places.ts";
import { boardHeight, isLanes, lanesOf } from "./lanes.ts";
import type { Row } from "./order.ts";

/** The issues on the screen: those of the drawn rows, and the one whose detail is shown. */
export function visibleIssues(state: State): ReadonlySet<string> {
  const uid = detailUid(state);
  return new Set([
    ...(uid === undefined ? [] : [uid]),
    ...drawn(state).map(({ issue }) => issue.uid),
  ]);
}

function drawn(state: State): readonly Row[] {
  const rows = boardRows(state);
  const top = topRow(state);
  if (!isLanes(state)) return rows.slice(top, top + boardHeight(state));
  const cards = lanesOf(state).lanes.flatMap((lane) => cardsOf(state, lane));
  return cards.flatMap(({ row }) => rows[row] ?? []);
}
