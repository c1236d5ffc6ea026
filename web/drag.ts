/** How far the mouse has to move with its button down for a drag; less is a click. */
const BEGIN_PX = 6;
/** A drag this near to the left or right edge of the lanes scrolls them. */
const EDGE_PX = 56;
/** How far the lanes scroll in each animation frame. */
const SCROLL_PX = 14;

export interface DragEvents {
  begun(): void;
  /** Called when the mouse moves, and also when the lanes scroll under a mouse that does not move. */
  moved(x: number, y: number): void;
  /**
   * Called at the end of the drag. If `isDrop` is true, the button was released and the drag takes effect. Otherwise
   * the drag was cancelled.
   */
  ended(isDrop: boolean): void;
}

/**
 * Follows a press of the mouse until it ends. Escape, a lost pointer and leaving the window end a drag without a drop.
 * During a drag all other keys are ignored. Returns a function that cancels the drag.
 */
export function followDrag(
  press: PointerEvent,
  frame: HTMLElement,
  events: DragEvents,
): () => void {
  const over = new AbortController();
  const { signal } = over;
  let at = { x: press.clientX, y: press.clientY };
  let isDragging = false;
  const end = (isDrop: boolean): void => {
    if (signal.aborted) return;
    over.abort();
    if (isDragging) events.ended(isDrop);
  };
  const scroll = (): void => {
    if (signal.aborted) return;
    const { left, right } = frame.getBoundingClientRect();
    const by = at.x < left + EDGE_PX ? -SCROLL_PX : at.x > right - EDGE_PX ? SCROLL_PX : 0;
    const before = frame.scrollLeft;
    frame.scrollLeft += by;
    if (frame.scrollLeft !== before) events.moved(at.x, at.y);
    requestAnimationFrame(scroll);
  };
  const onMove = (event: PointerEvent): void => {
    if (event.pointerId !== press.pointerId) return;
    at = { x: event.clientX, y: event.clientY };
    if (!isDragging) {
      if (Math.hypot(at.x - press.clientX, at.y - press.clientY) < BEGIN_PX) return;
      isDragging = true;
      // While the pointer is captured, its moves outside of the window are received too.
      frame.setPointerCapture(press.pointerId);
      events.begun();
      requestAnimationFrame(scroll);
    }
    events.moved(at.x, at.y);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (!isDragging) return;
    event.stopPropagation();
    if (event.key !== "Escape") return;
    event.preventDefault();
    end(false);
  };
  window.addEventListener("pointermove", onMove, { signal });
  window.addEventListener("pointerup", () => end(true), { signal });
  window.addEventListener("pointercancel", () => end(false), { signal });
  window.addEventListener("blur", () => end(false), { signal });
  window.addEventListener("keydown", onKey, { signal, capture: true });
  return () => end(false);
}
