import { detailUid } from "../detail/detail.ts";
import { boardHeight } from "../lines.ts";
import type { State } from "../state.ts";
import { boardLines, boardRows, topLine } from "./board.ts";
import { isHeading } from "./groups.ts";
import { cardsOf } from "./lane-places.ts";
import { isLanes, lanesOf } from "./lanes.ts";
import type { Row } from "./order.ts";

/** The uids of the issues on the screen: the issues of the drawn rows, and the issue whose detail is shown. */
export function visibleIssues(state: State): ReadonlySet<string> {
  const uid = detailUid(state);
  return new Set([
    ...(uid === undefined ? [] : [uid]),
    ...drawn(state).map(({ issue }) => issue.uid),
  ]);
}

function drawn(state: State): readonly Row[] {
  if (!isLanes(state)) {
    const top = topLine(state);
    const lines = boardLines(state).slice(top, top + boardHeight(state));
    return lines.flatMap((line) => (isHeading(line) ? [] : line));
  }
  const rows = boardRows(state);
  const cards = lanesOf(state).lanes.flatMap((lane) => cardsOf(state, lane));
  return cards.flatMap(({ row }) => rows[row] ?? []);
}
