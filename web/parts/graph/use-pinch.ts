import { type RefObject, useEffect, useRef } from "react";

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface Fingers {
  readonly apart: number;
  readonly middle: Point;
}

/**
 * Calls `pinched` when two fingers move on the element. `by` is the factor by which the distance between the fingers
 * has grown. `from` and `to` are the middle between the fingers before and after, so the drawing moves from one to the
 * other. Touch events are used, because the browser ends the pointer events of a finger as soon as it scrolls with that
 * finger.
 */
export function usePinch(
  element: RefObject<HTMLElement | null>,
  pinched: (by: number, from: Point, to: Point) => void,
): void {
  const latest = useRef(pinched);
  latest.current = pinched;
  useEffect(() => {
    const { current } = element;
    let before: Fingers | undefined;
    const onTouch = (event: TouchEvent): void => {
      const now = fingersOf(event.touches);
      if (now !== undefined && event.cancelable) event.preventDefault();
      if (now !== undefined && before !== undefined && before.apart > 0)
        latest.current(now.apart / before.apart, before.middle, now.middle);
      before = now;
    };
    const events = ["touchstart", "touchmove", "touchend", "touchcancel"] as const;
    // A passive listener cannot keep the browser from scrolling with both fingers.
    for (const name of events) current?.addEventListener(name, onTouch, { passive: false });
    return () => {
      for (const name of events) current?.removeEventListener(name, onTouch);
    };
  }, [element]);
}

function fingersOf({ length, 0: first, 1: second }: TouchList): Fingers | undefined {
  if (length !== 2 || first === undefined || second === undefined) return undefined;
  const [dx, dy] = [second.clientX - first.clientX, second.clientY - first.clientY];
  const middle = { x: first.clientX + dx / 2, y: first.clientY + dy / 2 };
  return { apart: Math.hypot(dx, dy), middle };
}
