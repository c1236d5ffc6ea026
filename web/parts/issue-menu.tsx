import { type HTMLAttributes, type ReactElement, useRef, useState } from "react";
import type { State } from "../../src/screen/state.ts";
import type { PainterProps } from "../painter.ts";
import { ContextMenu, type MenuSpot, menuGroups } from "./context-menu.tsx";
import { useLongPress } from "./long-press.ts";

interface IssueMenu {
  /** Handlers for the element that contains the rows and links. They open the menu on a right click or a long press. */
  readonly handlers: Pick<
    HTMLAttributes<HTMLElement>,
    "onContextMenu" | "onPointerDown" | "onClickCapture"
  >;
  readonly menu: ReactElement | null;
}

/**
 * The context menu of the issue under the pointer, for everything but the board: rows and cards of other screens, boxes
 * of the picture, and links in an issue. The selection does not change.
 */
export function useIssueMenu({ state, send }: PainterProps): IssueMenu {
  const [open, setOpen] = useState<{ readonly uid: string; readonly spot: MenuSpot }>();
  const latest = useRef<State>(state);
  latest.current = state;
  const openMenu = (target: EventTarget, spot: MenuSpot): boolean => {
    const uid = issueAt(target);
    // If no command can run on the issue, the browser shows its own menu for the link.
    if (uid === undefined || menuGroups(latest.current, uid).length === 0) return false;
    setOpen({ uid, spot });
    return true;
  };
  const touch = useLongPress(openMenu);
  return {
    handlers: {
      ...touch,
      onContextMenu: (event) => {
        const spot = { x: event.clientX, y: event.clientY };
        if (!event.defaultPrevented && openMenu(event.target, spot)) event.preventDefault();
      },
    },
    menu:
      open === undefined ? null : (
        <ContextMenu
          {...{ state, send }}
          spot={open.spot}
          on={open.uid}
          close={() => setOpen(undefined)}
        />
      ),
  };
}

function issueAt(target: EventTarget): string | undefined {
  const at =
    target instanceof Element ? target.closest("[data-ref], [data-issue], .graph-box") : null;
  if (!(at instanceof HTMLElement || at instanceof SVGElement)) return undefined;
  const { ref, issue, uid } = at.dataset;
  const found = ref ?? issue ?? uid;
  return found === "" ? undefined : found;
}
