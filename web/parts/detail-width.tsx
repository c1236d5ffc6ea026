import { type KeyboardEvent, type PointerEvent, type ReactElement, useState } from "react";
import { BROWSER_KEEP, remember, storedValue } from "../storage.ts";

/** The usual width of an issue beside the list, as a fraction of the window's width. */
const USUAL_PART = 0.44;
const MIN_PART = 0.28;
const MAX_PART = 0.68;
const STEP = 0.02;

/**
 * Returns the width of the issue beside the list as a CSS length, and the handle between the list and the issue. A
 * person moves the handle by dragging or with the arrow keys.
 */
export function useDetailWidth(): readonly [width: string, handle: ReactElement] {
  const [part, setPart] = useState(() =>
    within(Number(storedValue(BROWSER_KEEP, "width") ?? USUAL_PART)),
  );
  const resize = (wanted: number): void => {
    const next = within(wanted);
    setPart(next);
    remember(BROWSER_KEEP, "width", String(next));
  };
  const onMove = (event: PointerEvent<HTMLElement>): void => {
    if (event.currentTarget.hasPointerCapture(event.pointerId))
      resize(1 - event.clientX / window.innerWidth);
  };
  const onKey = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    resize(part + by);
  };
  const percent = Math.round(part * 100);
  const handle = (
    <div
      className="handle"
      role="separator"
      aria-orientation="vertical"
      aria-label="width of the issue"
      aria-valuenow={percent}
      aria-valuemin={MIN_PART * 100}
      aria-valuemax={MAX_PART * 100}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onMove}
      onDoubleClick={() => resize(USUAL_PART)}
      onKeyDown={onKey}
    />
  );
  return [`${percent}%`, handle];
}

function within(part: number): number {
  return Number.isNaN(part) ? USUAL_PART : Math.max(MIN_PART, Math.min(MAX_PART, part));
}
