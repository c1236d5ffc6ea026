import { type ReactElement, useCallback, useState } from "react";
import { createPortal } from "react-dom";
import type { PainterProps } from "../painter.ts";
import { ContextMenu, type MenuSpot } from "./context-menu.tsx";
import { Icon } from "./icon.tsx";

interface MoreCommandsProps extends PainterProps {
  /** The issue that the commands act on; `undefined` if the keys act on the same issue. */
  readonly on: string | undefined;
}

/** The button that opens all commands on the issue, for people who do not use keys or the right mouse button. */
export function MoreCommands({ state, send, on }: MoreCommandsProps): ReactElement {
  const [spot, setSpot] = useState<MenuSpot>();
  const close = useCallback(() => setSpot(undefined), []);
  return (
    <>
      <button
        type="button"
        className="button plain"
        title="All commands on this issue"
        aria-label="More"
        aria-haspopup="menu"
        aria-expanded={spot !== undefined}
        onClick={({ currentTarget }) => {
          const { right, bottom } = currentTarget.getBoundingClientRect();
          setSpot({ x: right, y: bottom });
        }}
      >
        <Icon name="more" />
      </button>
      {spot === undefined
        ? null
        : // The pane of the issue clips its content, so the menu is drawn outside of the pane.
          createPortal(
            <ContextMenu state={state} send={send} spot={spot} on={on} close={close} />,
            document.querySelector(".page") ?? document.body,
          )}
    </>
  );
}
