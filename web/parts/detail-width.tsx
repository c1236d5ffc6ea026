import { type KeyboardEvent, type PointerEvent, type ReactElement, useState } from "react";
import { kept, remember } from "../storage.ts";

/** The usual width of an issue beside the list, as a fraction of the window's width. */
const USUAL = 0.44;
const LEAST = 0.28;
const MOST = 0.68;
const STEP = 0.02;

/**
 * The width of the issue beside the list as a CSS length, and the line between both, which a person moves by dragging
 * or with the arrow keys.
 */
export function useDetailWidth(): readonly [width: string, handle: ReactElement] {
  const [part, setPart] = useState(() => within(Number(kept(localStorage, "width") ?? USUAL)));
  const turn = (wanted: number): void => {
    const next = within(wanted);
    setPart(next);
    remember(localStorage, "width", String(next));
  };
  const onMove = (event: PointerEvent<HTMLElement>): void => {
    if (event.currentTarget.hasPointerCapture(event.pointerId))
      turn(1 - event.clientX / window.innerWidth);
  };
  const onKey = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    turn(part + by);
  };
  const percent = Math.round(part * 100);
  const handle = (
    <div
      className="handle"
      role="separator"
      aria-orientation="vertical"
      aria-label="width of the issue"
      aria-valuenow={percent}
      aria-valuemin={LEAST * 100}
      aria-valuemax={MOST * 100}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onMove}
      onDoubleClick={() => turn(USUAL)}
      onKeyDown={onKey}
    />
  );
  return [`${percent}%`, handle];
}

function within(part: number): number {
  return Number.isNaN(part) ? USUAL : Math.max(LEAST, Math.min(MOST, part));
}
