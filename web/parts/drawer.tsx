import { type ReactElement, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import type { State } from "../../src/screen/state.ts";
import { shapeOf } from "../room.ts";

/** Whether the sidebar is open as a drawer over the page. There is a drawer only where the sidebar has no room. */
export function useDrawer(
  state: State,
): readonly [isOpen: boolean, setOpen: (open: boolean) => void] {
  const [isOpen, setOpen] = useState(false);
  const isNarrow = shapeOf(state.window.columns) !== "side";
  return [isOpen && isNarrow, setOpen];
}

interface DrawerProps {
  readonly children: ReactNode;
  close(): void;
}

/**
 * Shows the sidebar over the page. Every click closes it, even a click beside it. The browser moves the focus into the
 * sidebar when it opens, and back again when it closes.
 */
export function Drawer({ children, close }: DrawerProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="drawer"
      aria-label="screens and views"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={close}
      // The page's own keys must not act on the page under the drawer. Only the filter key does; it closes the drawer.
      onKeyDown={(event) => {
        if (event.key === "/") close();
        else event.stopPropagation();
      }}
    >
      {children}
    </dialog>
  );
}
