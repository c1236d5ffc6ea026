import { type ReactElement, useMemo } from "react";
import {
  type Lane as BoardLane,
  lanesOf,
  laneTitle,
  whyLaneEmpty,
} from "../../src/screen/board/lanes.ts";
import type { Row } from "../../src/screen/board/order.ts";
import { paneOf } from "../../src/screen/detail/panes.ts";
import { dueOf } from "../../src/screen/issues/due.ts";
import { letterOf } from "../../src/screen/issues/relations.ts";
import { placeOf } from "../../src/screen/place/place-of.ts";
import { timeText } from "../../src/screen/times.ts";
import { type PainterProps, pointMessage } from "../painter.ts";
import { issueUrls } from "../place.ts";
import { CARD_HEIGHT } from "../room.ts";
import { Card } from "./card.tsx";
import { markOf } from "./row-mark.ts";
import { WindowList } from "./window-list.tsx";
import { Person } from "./words.tsx";

interface LaneProps extends PainterProps {
  readonly lane: BoardLane;
  readonly cursor: number | undefined;
  readonly focused: boolean;
  readonly dragged: ReadonlySet<string>;
  /** Whether the lane takes the cards that are dragged over it; `undefined` if no cards are dragged over it. */
  readonly takes: boolean | undefined;
  readonly left: number;
  readonly width: number;
}

const uidOf = ({ issue }: Row): string => issue.uid;
const idOf = ({ issue }: Row): string => `row-${issue.uid}`;

/** Draws one lane of the board. The cards of each lane scroll separately. */
export function Lane(props: LaneProps): ReactElement {
  const { state, send, lane, cursor, focused, dragged, takes, left, width } = props;
  const { name, start, end } = lane;
  const { rows: all } = lanesOf(state);
  const rows = useMemo(() => all.slice(start, end), [all, start, end]);
  const title = laneTitle(state, lane);
  const isOwners = state.board.view === "owners";
  const hrefOf = issueUrls(placeOf(state));
  const isAll = state.scope.project === undefined;
  const draw = ({ issue }: Row, at: number, top: number): ReactElement => (
    <Card
      key={issue.uid}
      issue={issue}
      at={start + at}
      place={at + 1}
      top={top}
      letter={letterOf(state, issue)}
      name={isAll ? issue.qualified_id : issue.short_id}
      href={hrefOf(issue.uid)}
      isCursor={start + at === cursor}
      isMarked={state.marks.has(issue.uid)}
      isDragged={dragged.has(issue.uid)}
      mark={markOf(state, issue.uid)}
      hasOwner={!isOwners}
      age={timeText(state, issue.updated_at)}
      due={dueOf(state, issue)}
    />
  );
  return (
    <div
      className="lane"
      data-lane={name}
      data-takes={takes}
      style={{ left: `${left}px`, width: `${width}px` }}
    >
      <h2 className="lane-head">
        {isOwners && name !== "" ? <Person name={name} /> : <span className="name">{title}</span>}
        <span className="count">{end - start}</span>
      </h2>
      {rows.length === 0 ? (
        <p className="lane-empty">{whyLaneEmpty(lane)}</p>
      ) : (
        <WindowList
          label={`${title}: ${end - start} issues`}
          rows={rows}
          keyOf={uidOf}
          idOf={idOf}
          cursor={cursor === undefined ? -1 : cursor - start}
          isCurrent={cursor !== undefined}
          rowHeight={CARD_HEIGHT}
          draw={draw}
          focused={focused && cursor !== undefined}
          onFocus={() => {
            if (paneOf(state) !== "list") send(pointMessage({ is: "list" }));
            // If tab moves the focus to another lane, the cursor goes there too. After a click, the clicked card gets
            // the cursor.
            if (cursor === undefined && document.activeElement?.matches(":focus-visible") === true)
              send(pointMessage({ is: "row", at: start }));
          }}
        />
      )}
    </div>
  );
}
