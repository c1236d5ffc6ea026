import { type ReactElement, type RefObject, useMemo } from "react";
import { boardLines, cursorIndex, lineOf } from "../../src/screen/board/board.ts";
import { columnsOf } from "../../src/screen/board/column-names.ts";
import { columnsWanted } from "../../src/screen/board/columns.ts";
import {
  type BoardLine,
  type Groups,
  groupOver,
  groupsOf,
  groupTitle,
  isGrouped,
  isHeading,
  rowOnLine,
} from "../../src/screen/board/groups.ts";
import { paneOf } from "../../src/screen/detail/panes.ts";
import { dueOf } from "../../src/screen/issues/due.ts";
import { letterOf } from "../../src/screen/issues/relations.ts";
import { placeOf } from "../../src/screen/place/place-of.ts";
import { timeText } from "../../src/screen/times.ts";
import { type PainterProps, pointMessage } from "../painter.ts";
import { issueUrls } from "../place.ts";
import { columnsIn, rowHeight } from "../room.ts";
import { GroupHead } from "./group-head.tsx";
import { Row } from "./row.tsx";
import { markOf } from "./row-mark.ts";
import { useWidth } from "./use-width.ts";
import { WindowList } from "./window-list.tsx";

const idOf = (line: BoardLine): string => `row-${keyOf(line)}`;
const keyOf = (line: BoardLine): string =>
  isHeading(line) ? `group ${line.name}` : line.issue.uid;

const NO_GROUPS: Pick<Groups, "groups"> = { groups: [] };

interface ListProps extends PainterProps {
  /** The element whose width decides which columns are shown. */
  readonly frame: RefObject<HTMLElement | null>;
  readonly focused: boolean;
}

export function List({ state, send, frame, focused }: ListProps): ReactElement {
  const width = useWidth(frame);
  const cursor = cursorIndex(state);
  const hrefOf = issueUrls(placeOf(state));
  const wanted = columnsWanted(state).join(" ");
  // The same columns give the same object, so that the rows are not drawn again.
  const shown = useMemo(() => columnsIn(width, columnsOf(wanted).columns), [width, wanted]);
  const isAll = state.scope.project === undefined;
  const groups = isGrouped(state) ? groupsOf(state) : NO_GROUPS;
  const height = rowHeight(state.window.columns);
  const draw = (row: BoardLine, line: number, top: number): ReactElement => {
    if (isHeading(row))
      return (
        <GroupHead
          send={send}
          group={row}
          title={groupTitle(state, row)}
          isPerson={state.board.view === "by-owner" && row.name !== ""}
          top={top}
          height={(1 + row.end - row.start) * height}
        />
      );
    const { issue } = row;
    const group = groupOver(groups, line);
    const at = group === undefined ? line : rowOnLine(group, line);
    return (
      <Row
        key={issue.uid}
        row={row}
        at={at}
        line={line}
        level={row.depth + (group === undefined ? 1 : 2)}
        top={top}
        letter={row.context ? "~" : letterOf(state, issue)}
        name={isAll ? issue.qualified_id : issue.short_id}
        href={hrefOf(issue.uid)}
        isCursor={at === cursor}
        isMarked={state.marks.has(issue.uid)}
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
      rows={boardLines(state)}
      keyOf={keyOf}
      idOf={idOf}
      cursor={lineOf(state, cursor)}
      rowHeight={height}
      draw={draw}
      pinned={(first) => groupOver(groups, first)?.line}
      onFocus={() => {
        if (paneOf(state) !== "list") send(pointMessage({ is: "list" }));
      }}
      focused={focused}
    />
  );
}
