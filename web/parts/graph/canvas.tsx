import {
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { counted } from "../../../src/base/counted.ts";
import { graphIssue, graphRows } from "../../../src/screen/graph/graph.ts";
import type { GraphPicture } from "../../../src/screen/graph/picture.ts";
import { BOX, type Places } from "../../graph/layout.ts";
import { fitting, type Scale, STEP, within } from "../../graph/scale.ts";
import { type PainterProps, pointed } from "../../painter.ts";
import { Icon } from "../icon.tsx";
import { Drawing } from "./drawing.tsx";

interface CanvasProps extends PainterProps {
  readonly picture: GraphPicture;
  readonly places: Places;
}

/** Shows the drawing in an area that scrolls. A drag moves it; buttons, or ctrl and the wheel, change its size. */
export function Canvas({ state, send, picture, places }: CanvasProps): ReactElement {
  const canvas = useRef<HTMLDivElement>(null);
  const { scale, fits, sizeBy, fit } = useScale(canvas, places);
  const drag = useDrag(canvas);
  useCursorInView(canvas, graphIssue(state), fits, scale);
  const open = (event: MouseEvent): void => {
    const box = event.target instanceof Element ? event.target.closest("[data-uid]") : null;
    const uid = box?.getAttribute("data-uid");
    if (uid == null || drag.wasDragged()) return;
    const at = graphRows(state).findIndex((row) => row.uid === uid);
    if (at === -1) return send(pointed({ is: "issue", uid }));
    if (at !== state.graph?.cursor) send(pointed({ is: "row", at }));
    send(pointed({ is: "command", command: "graph-open" }));
  };
  return (
    <div className="picture">
      <div
        ref={canvas}
        className="canvas"
        role="img"
        aria-label={`picture of ${counted(picture.uids.length, "issue")} and ${counted(picture.links.length, "link")}, which the list tells too`}
        // An element that scrolls must be able to get the focus, so that the keyboard can scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onClick={open}
        {...drag.handlers}
      >
        <Drawing state={state} picture={picture} places={places} scale={scale} />
      </div>
      <div className="picture-tools">
        <ToolButton label="Smaller" icon="minus" act={() => sizeBy(1 / STEP)} />
        <ToolButton label="Larger" icon="plus" act={() => sizeBy(STEP)} />
        <ToolButton label="Show all of it" icon="whole" act={fit} />
      </div>
    </div>
  );
}

interface ToolButtonProps {
  readonly label: string;
  readonly icon: "minus" | "plus" | "whole";
  act(): void;
}

function ToolButton({ label, icon, act }: ToolButtonProps): ReactElement {
  return (
    <button type="button" className="button" aria-label={label} title={label} onClick={act}>
      <Icon name={icon} />
    </button>
  );
}

type Canvased = RefObject<HTMLDivElement | null>;

/**
 * The point that stays where it is when the size changes: `x` and `y` in pixels of the window, `partX` and `partY` as
 * fractions of the drawing's size.
 */
interface Anchor {
  readonly x: number;
  readonly y: number;
  readonly partX: number;
  readonly partY: number;
}

/**
 * The scale of the drawing, and what changes it. When it changes, the point under the pointer, or the middle, stays
 * where it is.
 */
function useScale(canvas: Canvased, { width, height }: Places): Scaling {
  const [scale, setScale] = useState<Scale>(1);
  const [fits, setFits] = useState(0);
  const anchor = useRef<Anchor | undefined>(undefined);
  const sizeTo = (next: (now: Scale) => Scale, at?: { readonly x: number; readonly y: number }) => {
    const { current } = canvas;
    if (current === null) return;
    const pane = current.getBoundingClientRect();
    const drawn = current.firstElementChild?.getBoundingClientRect() ?? pane;
    const { x, y } = at ?? { x: pane.left + pane.width / 2, y: pane.top + pane.height / 2 };
    anchor.current = {
      ...{ x, y },
      partX: (x - drawn.left) / drawn.width,
      partY: (y - drawn.top) / drawn.height,
    };
    setScale((now) => within(next(now)));
  };
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
    setScale(fitting({ width, height }, roomIn(current), "readable"));
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
      if (current !== null) setScale(fitting({ width, height }, roomIn(current), "whole"));
    },
  };
}

interface Scaling {
  readonly scale: Scale;
  /** How many drawings have been made to fit. After each, the cursor has to be scrolled into view again. */
  readonly fits: number;
  sizeBy(by: number): void;
  fit(): void;
}

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
function useDrag(canvas: Canvased) {
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

interface Shown {
  readonly cursor: string | undefined;
  readonly fits: number;
}

/** Scrolls so that the box of the issue under the cursor is in view, with a little of what is around it. */
function useCursorInView(
  canvas: Canvased,
  cursor: string | undefined,
  fits: number,
  scale: Scale,
): void {
  const before = useRef<Shown | undefined>(undefined);
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
