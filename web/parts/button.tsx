import type { ReactElement } from "react";
import { whyNot } from "../../src/screen/commands.ts";
import type { Command } from "../../src/screen/keys.ts";
import { type PainterProps, pointMessage } from "../painter.ts";
import { Icon, type IconName } from "./icon.tsx";

export interface CommandButtonProps extends PainterProps {
  readonly command: Command;
  /** The command opens a form; this is the field that gets the focus. */
  readonly field?: string;
  readonly label: string;
  readonly icon?: IconName;
  /** Whether the words are shown beside the icon. */
  readonly words?: boolean;
  readonly look?: "plain" | "strong" | "bordered";
}

/**
 * A button that runs a command. If the command cannot run now, the button's title says why. If the daemon refuses every
 * change and the command would change something, there is no button.
 */
export function CommandButton(props: CommandButtonProps): ReactElement | null {
  const { state, send, command, field, label, icon, words = true, look = "plain" } = props;
  const row = state.preferences.keys.find((one) => one.command === command);
  if (row === undefined) return null;
  const why = whyNot(state, command);
  if (why !== undefined && why === state.connection.readOnly) return null;
  const [name = ""] = row.keys;
  return (
    <button
      type="button"
      className={`button ${look}`}
      aria-disabled={why !== undefined}
      aria-label={words ? undefined : label}
      title={why ?? `${row.label}  ${name}`}
      onClick={() => send(pointMessage({ is: "command", command, field }))}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {words ? label : null}
    </button>
  );
}
