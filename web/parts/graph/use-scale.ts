import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Places } from "../../graph/layout.ts";
import { type Scale, scaleToFit, within } from "../../graph/scale.ts";
import { type Point, usePinch } from "./use-pinch.ts";

interface Scaling {
  readonly scale: Scale;
  /**
   * How many times the drawing was made to fit into the window. After each time, the cursor has to be scrolled into
   * view again.
   */
  readonly fits: number;
  sizeBy(by: number): void;
  fit(): void;
}

/**
 * The point of the drawing that keeps its position when the size changes, or follows two fingers. `x` and `y` are
 * pixels of the window. `partX` and `partY` are fractions of the drawing's size.
 */
interface Anchor {
  readonly x: number;
  readonly y: number;
  readonly partX: number;
  readonly partY: number;
}

/**
 * Returns the scale of the drawing, and functions that change it. When the scale changes, the point under the pointer
 * stays where it is. If there is no pointer, the middle of the visible part stays.
 */
export function useScale(
  canvas: RefObject<HTMLElement | null>,
  { width, height }: Places,
): Scaling {
  const [scale, setScale] = useState<Scale>(1);
  const [fits, setFits] = useState(0);
  const anchor = useRef<Anchor | undefined>(undefined);
  const sizeTo = (next: (now: Scale) => Scale, at?: Point, to: Point | undefined = at) => {
    const { current } = canvas;
    if (current === null) return;
    const pane = current.getBoundingClientRect();
    const drawn = current.firstElementChild?.getBoundingClientRect() ?? pane;
    const { x, y } = at ?? { x: pane.left + pane.width / 2, y: pane.top + pane.height / 2 };
    anchor.current = {
      ...(to ?? { x, y }),
      partX: (x - drawn.left) / drawn.width,
      partY: (y - drawn.top) / drawn.height,
    };
    setScale((now) => within(next(now)));
  };
  usePinch(canvas, (by, from, to) => sizeTo((now) => now * by, from, to));
  const latest = useRef(sizeTo);
  latest.current = sizeTo;
  useLayoutEffect(() => {
    const { current } = canvas;
    if (current === null || anchor.current === undefined) return;
    const { x, y, partX, partY } = anchor.current;
    anchor.current = undefined;
    const drawn = current.firstElementChild?.getBoundingClientRect();
    if (drawn === undefined) return;
    current.scrollLeft += drawn.left + partX * drawn.width - x;
    current.scrollTop += drawn.top + partY * drawn.height - y;
  }, [canvas, scale]);
  const roomIn = ({ clientWidth, clientHeight }: HTMLElement) => ({
    width: clientWidth,
    height: clientHeight,
  });
  useLayoutEffect(() => {
    const { current } = canvas;
    if (current === null) return;
    setScale(scaleToFit({ width, height }, roomIn(current), "readable"));
    setFits((count) => count + 1);
  }, [canvas, width, height]);
  useEffect(() => {
    const { current } = canvas;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const at = { x: event.clientX, y: event.clientY };
      latest.current((now) => now * 2 ** (-event.deltaY / 300), at);
    };
    // Without `preventDefault` the browser would enlarge the whole page, and a passive listener cannot call it.
    current?.addEventListener("wheel", onWheel, { passive: false });
    return () => current?.removeEventListener("wheel", onWheel);
  }, [canvas]);
  return {
    scale,
    fits,
    sizeBy: (by) => sizeTo((now) => now * by),
    fit: () => {
      const { current } = canvas;
      if (current !== null) setScale(scaleToFit({ width, height }, roomIn(current), "whole"));
    },
  };
}
