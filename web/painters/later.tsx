import type { ReactElement } from "react";
import type { PainterProps } from "../painter.ts";
import { CommandButton } from "../parts/button.tsx";
import { SCREEN_NAMES } from "../parts/sidebar.tsx";

/** A screen that only the terminal draws so far. */
export function Later({ state, send }: PainterProps): ReactElement {
  return (
    <div className="empty">
      <p className="why">{SCREEN_NAMES[state.screen]} is not drawn here yet.</p>
      <p>
        The terminal has it: <code>svc tui</code>
      </p>
      <p className="acts">
        <CommandButton
          state={state}
          send={send}
          command="board"
          label="Back to the board"
          look="bordered"
        />
      </p>
    </div>
  );
}
