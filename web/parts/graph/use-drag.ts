import { type PointerEvent, type RefObject, useRef } from "react";

/** If the mouse moves less than this while its button is down, it is a click and no drag. */
const DRAG_PX = 4;

interface Drag {
  readonly x: number;
  readonly y: number;
  readonly left: number;
  readonly top: number;
  moved: boolean;
}

/** Lets a mouse move the drawing by dragging. A finger needs no code: the browser scrolls the drawing like any list. */
export function useDrag(canvas: RefObject<HTMLElement | null>) {
  const from = useRef<Drag | undefined>(undefined);
  const end = (): void => {
    canvas.current?.removeAttribute("data-dragged");
    if (from.current?.moved === false) from.current = undefined;
  };
  return {
    /** Whether the click that is being handled is the end of a drag, so that it opens nothing. */
    wasDragged: (): boolean => {
      const { moved = false } = from.current ?? {};
      from.current = undefined;
      return moved;
    },
    handlers: {
      onPointerDown: (event: PointerEvent): void => {
        from.current = undefined;
        const { current } = canvas;
        if (event.pointerType !== "mouse" || event.button !== 0 || current === null) return;
        const { scrollLeft: left, scrollTop: top } = current;
        from.current = { x: event.clientX, y: event.clientY, left, top, moved: false };
      },
      onPointerMove: (event: PointerEvent): void => {
        const { current: start } = from;
        const { current } = canvas;
        if (start === undefined || current === null || event.buttons !== 1) return;
        const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
        if (!start.moved && Math.hypot(dx, dy) < DRAG_PX) return;
        if (!start.moved) current.setPointerCapture(event.pointerId);
        start.moved = true;
        current.setAttribute("data-dragged", "");
        current.scrollLeft = start.left - dx;
        current.scrollTop = start.top - dy;
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };
}
