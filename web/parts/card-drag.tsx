import {
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { type CarryCheck, checkCarry, issuesDraggedWith } from "../../src/screen/board/carry.ts";
import { followDrag } from "../drag.ts";
import { type PainterProps, pointMessage } from "../painter.ts";

interface Drag {
  readonly uid: string;
  readonly from: string;
  readonly over: string | undefined;
}

interface CardDrag {
  readonly dragged: ReadonlySet<string>;
  /** The lane below the mouse, and whether it takes the cards. */
  readonly over: { readonly lane: string; readonly takes: boolean } | undefined;
  readonly onPointerDown: (event: PointerEvent) => void;
  /** Ignores the click that the browser sends at the end of a drag. */
  readonly onClickCapture: (event: MouseEvent) => void;
  readonly ghost: ReactElement | null;
}

const NO_LANES: ReadonlySet<string> = new Set();

/**
 * Lets cards be dragged from lane to lane by mouse or pen. A finger scrolls the lanes and does not drag cards. People
 * who use a finger move a card with a command in the context menu.
 */
export function useCardDrag(props: PainterProps, frame: RefObject<HTMLElement | null>): CardDrag {
  const latest = useRef(props);
  latest.current = props;
  const [drag, setDrag] = useState<Drag>();
  const ghost = useRef<HTMLDivElement>(null);
  const spot = useRef({ x: 0, y: 0 });
  const hasDragged = useRef(false);
  const cancel = useRef<() => void>(undefined);
  useEffect(() => () => cancel.current?.(), []);

  const onPointerDown = (event: PointerEvent): void => {
    hasDragged.current = false;
    cancel.current?.();
    const pressed = cardOf(event);
    if (frame.current === null || pressed === undefined) return;
    let now: Drag = { ...pressed, over: undefined };
    cancel.current = followDrag(event.nativeEvent, frame.current, {
      begun: () => {
        hasDragged.current = true;
        setDrag(now);
      },
      moved: (x, y) => {
        spot.current = { x, y };
        place(ghost.current, spot.current);
        const over = laneOf(document.elementFromPoint(x, y));
        if (over === now.over) return;
        now = { ...now, over };
        setDrag(now);
      },
      ended: (isDrop) => {
        setDrag(undefined);
        const { uid, from, over } = now;
        if (isDrop && over !== undefined && over !== from)
          latest.current.send(pointMessage({ is: "lane", uid, lane: over }));
      },
    });
  };
  const onClickCapture = (event: MouseEvent): void => {
    if (!hasDragged.current) return;
    hasDragged.current = false;
    event.preventDefault();
    event.stopPropagation();
  };
  const handlers = { onPointerDown, onClickCapture };
  if (drag === undefined) return { dragged: NO_LANES, over: undefined, ghost: null, ...handlers };
  const { state } = props;
  const issues = issuesDraggedWith(state, drag.uid);
  const isBack = drag.over === undefined || drag.over === drag.from;
  const carrying = isBack ? undefined : checkCarry(state, issues, drag.over ?? "");
  return {
    ...handlers,
    dragged: new Set(issues.map(({ uid }) => uid)),
    over:
      carrying === undefined ? undefined : { lane: drag.over ?? "", takes: !("why" in carrying) },
    ghost: (
      <div
        ref={(element) => {
          ghost.current = element;
          place(element, spot.current);
        }}
        className="ghost"
        data-takes={carrying === undefined ? undefined : !("why" in carrying)}
      >
        <span className="ghost-title">{state.issues.get(drag.uid)?.title ?? "gone"}</span>
        {issues.length > 1 ? <span className="count">and {issues.length - 1} more</span> : null}
        <span className="ghost-does">{textOf(carrying)}</span>
      </div>
    ),
  };
}

function textOf(carrying: CarryCheck | undefined): string {
  if (carrying === undefined) return "esc leaves it where it is";
  return "why" in carrying ? carrying.why : carrying.does;
}

function place(element: HTMLElement | null, { x, y }: { x: number; y: number }): void {
  if (element === null) return;
  const left = Math.min(x + 12, window.innerWidth - element.offsetWidth - 8);
  const top = Math.min(y + 8, window.innerHeight - element.offsetHeight - 8);
  element.style.transform = `translate(${left}px, ${top}px)`;
}

/** The card that was pressed, if a drag may begin with this press. */
function cardOf(event: PointerEvent): Pick<Drag, "uid" | "from"> | undefined {
  const { button, isPrimary, pointerType, target, ctrlKey, metaKey, shiftKey } = event;
  if (button !== 0 || !isPrimary || pointerType === "touch") return undefined;
  if (ctrlKey || metaKey || shiftKey || !(target instanceof Element)) return undefined;
  const uid = target.closest("[data-uid]")?.getAttribute("data-uid") ?? undefined;
  const from = laneOf(target);
  return uid === undefined || from === undefined ? undefined : { uid, from };
}

function laneOf(element: Element | null): string | undefined {
  return element?.closest("[data-lane]")?.getAttribute("data-lane") ?? undefined;
}
