import { type ReactElement, useRef } from "react";
import { counted } from "../../../src/base/counted.ts";
import { paneOf } from "../../../src/screen/detail/panes.ts";
import { emptyOf } from "../../../src/screen/empty.ts";
import { fleetRows } from "../../../src/screen/fleet/fleet.ts";
import { type FleetLane, fleetLanes, laneOfRow, pageOf } from "../../../src/screen/fleet/lanes.ts";
import type { FleetRow } from "../../../src/screen/fleet/state.ts";
import { placeOf } from "../../../src/screen/place/place-of.ts";
import type { State } from "../../../src/screen/state.ts";
import { type PainterProps, pointMessage } from "../../painter.ts";
import { issueUrls } from "../../place.ts";
import { cardsInLane, fleetLaneHeight, shapeOf } from "../../room.ts";
import { EmptyView } from "../empty.tsx";
import { rowAt } from "../lines.tsx";
import { useWidth } from "../use-width.ts";
import { WindowList } from "../window-list.tsx";
import { Person } from "../words.tsx";
import { HeldSign, Lease, Silence } from "./facts.tsx";

const keyOf = ({ holder }: FleetLane): string => holder;
/**
 * The id of a card contains the index of its row: two people may hold the same issue, and an id cannot contain a
 * person's name, which may have a space.
 */
const cardId = (row: number): string => `held-${row}`;

/** A lane for each person, one below the other. Only the lanes in the window are in the document. */
export function FleetLanes({ state, send }: PainterProps): ReactElement {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const empty = emptyOf(state);
  const rows = fleetRows(state);
  const lanes = fleetLanes(state);
  const { cursor } = state.fleet;
  const size = cardsInLane(width, state.window.columns);
  const hrefOf = issueUrls(placeOf(state));
  return (
    <div ref={frame} className="fleet-lanes">
      {empty === undefined ? (
        <WindowList
          label="who holds what"
          rows={lanes}
          keyOf={keyOf}
          // For screen readers, the active element is the card under the cursor.
          idOf={() => cardId(cursor)}
          cursor={laneOfRow(lanes, cursor)}
          rowHeight={fleetLaneHeight(state.window.columns)}
          focused={paneOf(state) === "list" && state.detail.open.length === 0}
          onClick={(event) => {
            const at = rowAt(event);
            if (at !== undefined) send(pointMessage({ is: "row", at }));
          }}
          draw={(lane, at, top) => (
            <Lane key={lane.holder} {...{ state, rows, lane, at, top, size, hrefOf }} />
          )}
        />
      ) : (
        <EmptyView state={state} send={send} empty={empty} />
      )}
    </div>
  );
}

interface LaneProps {
  readonly state: State;
  readonly rows: readonly FleetRow[];
  readonly lane: FleetLane;
  readonly at: number;
  readonly top: number;
  readonly size: number;
  hrefOf(uid: string): string;
}

function Lane({ state, rows, lane, at, top, size, hrefOf }: LaneProps): ReactElement {
  const { holder, start, end } = lane;
  const { first, end: last, before, after } = pageOf(lane, state.fleet.cursor, size);
  return (
    <div
      className="fleet-lane"
      role="row"
      aria-rowindex={at + 1}
      data-silent={lane.isSilent}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div className="fleet-who" role="rowheader" data-at={start}>
        <Person name={holder} />
        <Silence state={state} lastSeen={lane.lastSeen} isSilent={lane.isSilent} />
        <span className="count">{counted(end - start, "issue")}</span>
      </div>
      <div className="fleet-cards" role="presentation">
        {before === 0 ? null : (
          <More at={first - 1} text={`‹ ${before}`} says={`${before} before`} />
        )}
        {rows.slice(first, last).map((row, place) => (
          <HeldCard
            key={row.at.uid}
            {...{ state, row }}
            at={first + place}
            href={hrefOf(row.at.uid)}
          />
        ))}
        {after === 0 ? null : <More at={last} text={`${after} ›`} says={`${after} more`} />}
      </div>
    </div>
  );
}

interface MoreProps {
  readonly at: number;
  readonly text: string;
  readonly says: string;
}

/** Says how many cards have no room in the lane. A click leads to these cards. */
function More({ at, text, says }: MoreProps): ReactElement {
  return (
    <span className="fleet-more" role="gridcell" data-at={at} aria-label={says} title={says}>
      {text}
    </span>
  );
}

interface HeldCardProps {
  readonly state: State;
  readonly row: FleetRow;
  readonly at: number;
  readonly href: string;
}

function HeldCard({ state, row, at, href }: HeldCardProps): ReactElement {
  const { at: issue, title } = row;
  const isCursor = at === state.fleet.cursor;
  // Most issues are owned and not leased, so a narrow card does not show whether its issue is owned or leased.
  const isNarrow = shapeOf(state.window.columns) === "column";
  return (
    <div
      id={cardId(at)}
      className="held-card"
      role="gridcell"
      aria-selected={isCursor}
      data-at={at}
      data-issue={issue.uid}
      data-cursor={isCursor}
    >
      <div className="card-line">
        <HeldSign state={state} row={row} />
        <span className="id">{state.scope.project === undefined ? issue.name : issue.ref}</span>
        <span className="space" />
        {isNarrow && row.lease === undefined ? null : (
          <span className="lease">
            <Lease state={state} row={row} />
          </span>
        )}
      </div>
      <a className="card-title" href={href} tabIndex={-1} draggable={false}>
        {title}
      </a>
    </div>
  );
}
