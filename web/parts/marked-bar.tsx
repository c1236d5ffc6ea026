import type { ReactElement } from "react";
import { countOf } from "../../src/screen/commands.ts";
import type { Command } from "../../src/screen/keys.ts";
import { focusPane } from "../focus.ts";
import { type PainterProps, pointMessage } from "../painter.ts";
import { CommandButton } from "./button.tsx";

const COMMANDS: readonly (readonly [command: Command, label: string])[] = [
  ["assign", "Owner"],
  ["priority", "Priority"],
  ["add-label", "Label"],
  ["close", "Close"],
];

/**
 * Returns the label of a button. If the command works on only some of the marked issues, the label says on how many.
 */
function labelFor(state: PainterProps["state"], command: Command, label: string): string {
  const count = countOf(state, command);
  return count === undefined || count === state.marks.size ? label : `${label} ${count}`;
}

/**
 * Says how many issues are marked, and has buttons for the commands that people use most on several issues. It replaces
 * the filter.
 */
export function MarkedBar({ state, send }: PainterProps): ReactElement {
  return (
    <div className="marked-bar" role="group" aria-label="marked issues">
      <span className="marked-count">{state.marks.size} marked</span>
      {COMMANDS.map(([command, label]) => (
        <CommandButton
          key={command}
          {...{ state, send, command }}
          label={labelFor(state, command, label)}
          look={command === "close" ? "bordered" : "plain"}
        />
      ))}
      <button
        type="button"
        className="button plain"
        title="Take all marks off"
        onClick={() => {
          // The button disappears while it has the focus, so the focus moves to the pane.
          focusPane();
          send(pointMessage({ is: "no-marks" }));
        }}
      >
        Clear
      </button>
    </div>
  );
}
