import { type MouseEvent, type PointerEvent, useEffect, useRef } from "react";
import { systemClock } from "../../src/base/clock.ts";
import type { MenuSpot } from "./context-menu.tsx";

/** How long a finger rests until the menu opens: the usual time on phones. */
const PRESS_MS = 500;
/** A finger that moves further than this scrolls and opens no menu. */
const STILL_PX = 10;

interface LongPress {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onClickCapture: (event: MouseEvent) => void;
}

/**
 * Opens the context menu when a finger rests on something, because some browsers on phones send no `contextmenu` event
 * for a resting finger. If a browser sends this event too, the same menu opens. `open` returns whether it has opened a
 * menu.
 */
export function useLongPress(open: (target: Element, spot: MenuSpot) => boolean): LongPress {
  const waiting = useRef<AbortController>(undefined);
  const wasLong = useRef(false);
  useEffect(() => () => waiting.current?.abort(), []);
  const onPointerDown = (event: PointerEvent): void => {
    wasLong.current = false;
    waiting.current?.abort();
    const { pointerType, target, clientX: x, clientY: y } = event;
    if (pointerType !== "touch" || !(target instanceof Element)) return;
    const ended = new AbortController();
    waiting.current = ended;
    const { signal } = ended;
    const end = (): void => ended.abort();
    window.addEventListener("pointerup", end, { signal });
    window.addEventListener("pointercancel", end, { signal });
    window.addEventListener(
      "pointermove",
      (move) => {
        if (Math.hypot(move.clientX - x, move.clientY - y) > STILL_PX) end();
      },
      { signal },
    );
    void systemClock.sleep(PRESS_MS, signal).then(() => {
      if (signal.aborted) return;
      wasLong.current = open(target, { x, y });
    });
  };
  const onClickCapture = (event: MouseEvent): void => {
    if (!wasLong.current) return;
    wasLong.current = false;
    event.preventDefault();
    event.stopPropagation();
  };
  return { onPointerDown, onClickCapture };
}
