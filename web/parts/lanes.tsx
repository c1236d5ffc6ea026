import { type ReactElement, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { cursorRow, laneAt } from "../../src/screen/board/lane-places.ts";
import { type Lane as BoardLane, lanesOf, laneTitle } from "../../src/screen/board/lanes.ts";
import type { PainterProps } from "../painter.ts";
import { laneWidth, shapeOf } from "../room.ts";
import { useCardDrag } from "./card-drag.tsx";
import { Lane } from "./lane.tsx";
import { useWidth } from "./use-width.ts";

interface LanesProps extends PainterProps {
  readonly focused: boolean;
  /** Whether no dialog or menu has the focus. */
  readonly isFree: boolean;
}

/** Draws the board as lanes. Only the lanes that are seen and the lane with the cursor are in the document. */
export function Lanes({ state, send, focused, isFree }: LanesProps): ReactElement {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const { lanes } = lanesOf(state);
  const each = laneWidth(width, lanes.length);
  const row = cursorRow(state);
  const current = laneAt(state, row);
  const [left, setLeft] = useState(0);
  const { dragged, over, ghost, ...handlers } = useCardDrag({ state, send }, frame);
  useLaneInView(frame, lanes, current, each);
  useLaneFocus(frame, lanes[current]?.name, focused && isFree && each > 0);
  const first = Math.floor(left / Math.max(1, each)) - 1;
  const last = Math.ceil((left + width) / Math.max(1, each));
  const isDrawn = (at: number): boolean => at === current || (at >= first && at <= last);
  return (
    <>
      {shapeOf(state.window.columns) === "column" ? (
        <LanePick {...{ state, frame, each }} at={Math.round(left / Math.max(1, each))} />
      ) : null}
      <div
        ref={frame}
        className="lanes"
        role="group"
        aria-label={state.board.view === "owners" ? "lanes by owner" : "lanes by state"}
        data-dragging={dragged.size > 0}
        onScroll={({ currentTarget }) => setLeft(currentTarget.scrollLeft)}
        {...handlers}
      >
        <div className="all-lanes" style={{ width: `${each * lanes.length}px` }}>
          {width === 0
            ? null
            : lanes.map((lane, at) =>
                isDrawn(at) ? (
                  <Lane
                    key={lane.name}
                    {...{ state, send, lane, focused, dragged }}
                    cursor={at === current ? row : undefined}
                    takes={over?.lane === lane.name ? over.takes : undefined}
                    left={at * each}
                    width={each}
                  />
                ) : null,
              )}
        </div>
      </div>
      {ghost}
    </>
  );
}

/**
 * Scrolls sideways to the lane to which the cursor has moved. When lanes to the left of that lane appear or disappear,
 * the lane stays where it is on the screen.
 */
function useLaneInView(
  frame: RefObject<HTMLElement | null>,
  lanes: readonly BoardLane[],
  current: number,
  each: number,
): void {
  const name = lanes[current]?.name;
  const before = useRef<{ readonly name: string | undefined; readonly at: number }>(undefined);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null || name === undefined || each === 0) return;
    const { current: old } = before;
    before.current = { name, at: current };
    if (old?.name === name) {
      element.scrollLeft += (current - old.at) * each;
      return;
    }
    const start = current * each;
    const { scrollLeft, clientWidth } = element;
    // If only one lane fits, it is scrolled to the left edge.
    if (start < scrollLeft || 2 * each > clientWidth) element.scrollLeft = start;
    else if (start + each > scrollLeft + clientWidth)
      element.scrollLeft = start + each - clientWidth;
  }, [frame, name, current, each]);
}

/** Moves the focus to the lane with the cursor when the cursor changes lanes, or when the focused lane disappears. */
function useLaneFocus(
  frame: RefObject<HTMLElement | null>,
  name: string | undefined,
  focused: boolean,
): void {
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    const isHere = activeElement === body || frame.current?.contains(activeElement) === true;
    if (!focused || !isHere || name === undefined) return;
    frame.current
      ?.querySelector<HTMLElement>(".window-list[data-current=true]")
      ?.focus({ preventScroll: true });
  }, [frame, name, focused]);
}

interface LanePickProps extends Pick<PainterProps, "state"> {
  readonly frame: RefObject<HTMLElement | null>;
  readonly each: number;
  readonly at: number;
}

/** Lets a person choose a lane, and scrolls to it. It is for phones, where only one lane is seen at a time. */
function LanePick({ state, frame, each, at }: LanePickProps): ReactElement {
  const { lanes } = lanesOf(state);
  return (
    <label className="lane-pick pick">
      <span className="hidden">lane</span>
      <select
        value={at}
        onChange={({ target: { value } }) => {
          if (frame.current !== null) frame.current.scrollLeft = Number(value) * each;
        }}
      >
        {lanes.map((lane, place) => (
          <option key={lane.name} value={place}>
            {laneTitle(state, lane)} · {lane.end - lane.start}
          </option>
        ))}
      </select>
    </label>
  );
}
