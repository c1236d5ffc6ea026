import { type RefObject, useLayoutEffect, useRef } from "react";
import { BOX } from "../../graph/layout.ts";
import type { Scale } from "../../graph/scale.ts";

interface ShownCursor {
  readonly cursor: string | undefined;
  readonly fits: number;
}

export function useCursorInView(
  canvas: RefObject<HTMLElement | null>,
  cursor: string | undefined,
  fits: number,
  scale: Scale,
): void {
  const before = useRef<ShownCursor | undefined>(undefined);
  useLayoutEffect(() => {
    const { current: pane } = canvas;
    const isSame = before.current?.cursor === cursor && before.current?.fits === fits;
    before.current = { cursor, fits };
    if (pane === null || cursor === undefined || isSame) return;
    const box = pane.querySelector(`[data-uid="${cursor}"]`)?.getBoundingClientRect();
    if (box === undefined) return;
    const view = pane.getBoundingClientRect();
    const gap = BOX.height * scale;
    pane.scrollLeft += byFor(box.left - gap, box.right + gap, view.left, view.right);
    pane.scrollTop += byFor(box.top - gap, box.bottom + gap, view.top, view.bottom);
  }, [canvas, cursor, fits, scale]);
}

/** How far to scroll so that the range from `from` to `to` lies between `start` and `end`. */
function byFor(from: number, to: number, start: number, end: number): number {
  if (from < start) return from - start;
  return to > end ? Math.min(to - end, from - start) : 0;
}
