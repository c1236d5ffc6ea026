import { type ReactElement, type RefObject, useMemo } from "react";
import { boardRows, cursorIndex } from "../../src/screen/board/board.ts";
import { columnsOf } from "../../src/screen/board/column-names.ts";
import { columnsWanted } from "../../src/screen/board/columns.ts";
import { dueOf } from "../../src/screen/board/due.ts";
import type { Row as BoardRow } from "../../src/screen/board/order.ts";
import { letterOf } from "../../src/screen/board/relations.ts";
import { placeOf } from "../../src/screen/place/place.ts";
import { timeText } from "../../src/screen/times.ts";
import { paneOf } from "../../src/screen/window/panes.ts";
import { type PainterProps, pointed } from "../painter.ts";
import { issueUrls } from "../place.ts";
import { columnsIn, rowHeight } from "../room.ts";
import { Row } from "./row.tsx";
import { markOf } from "./row-mark.ts";
import { useWidth } from "./use-width.ts";
import { WindowList } from "./window-list.tsx";

const idOf = ({ issue }: BoardRow): string => `row-${issue.uid}`;
const uidOf = ({ issue }: BoardRow): string => issue.uid;

interface ListProps extends PainterProps {
  /** The element whose width decides which columns are shown. */
  readonly frame: RefObject<HTMLElement | null>;
  readonly focused: boolean;
}

/** Draws the board as a list, nested or flat. */
export function List({ state, send, frame, focused }: ListProps): ReactElement {
  const width = useWidth(frame);
  const cursor = cursorIndex(state);
  const hrefOf = issueUrls(placeOf(state));
  const wanted = columnsWanted(state).join(" ");
  // The same columns give the same object, so that the rows are not drawn again.
  const shown = useMemo(() => columnsIn(width, columnsOf(wanted).columns), [width, wanted]);
  const isAll = state.projects.scope.project === undefined;
  const draw = (row: BoardRow, at: number, top: number): ReactElement => {
    const { issue } = row;
    return (
      <Row
        key={issue.uid}
        row={row}
        at={at}
        top={top}
        letter={row.context ? "~" : letterOf(state, issue)}
        name={isAll ? issue.qualified_id : issue.short_id}
        href={hrefOf(issue.uid)}
        isCursor={at === cursor}
        isMarked={state.board.marks.has(issue.uid)}
        mark={markOf(state, issue.uid)}
        shown={shown}
        age={timeText(state, issue.updated_at)}
        made={timeText(state, issue.created_at)}
        due={dueOf(state, issue)}
      />
    );
  };
  return (
    <WindowList
      label="issues"
      rows={boardRows(state)}
      keyOf={uidOf}
      idOf={idOf}
      cursor={cursor}
      rowHeight={rowHeight(state.window.columns)}
      draw={draw}
      onFocus={() => {
        if (paneOf(state) !== "list") send(pointed({ is: "list" }));
      }}
      focused={focused}
    />
  );
}
