import type { Column } from "../board/column-names.ts";
import type { Key } from "../keys.ts";
import type { OwnCommand } from "./own-command.ts";

/**
 * How panes are arranged: `stacked` shows one pane at a time, `split` shows panes side by side even if there is little
 * room, and `auto` shows as many panes as fit well. A choice that does not fit is ignored.
 */
export type LayoutChoice = "auto" | "stacked" | "split";

export interface PreferencesState {
  readonly keys: readonly Key[];
  /** Reduced motion: nothing changes by time alone. */
  readonly calm: boolean;
  readonly confirmQuit: boolean;
  readonly layout: LayoutChoice;
  /** The columns of the list that the person chose; `undefined` for the default columns. */
  readonly listColumns: readonly Column[] | undefined;
  /** The address of the daemon's browser page; `undefined` if it is not known here. */
  readonly page: string | undefined;
  readonly commands: readonly OwnCommand[];
  readonly times: "ago" | "clock";
  /** The time zone of clock times, and of days that name no zone. */
  readonly zone: string;
  readonly light: boolean;
}
