import type { Key } from "../keys.ts";

/** One pane at a time, two panes even in little room, or what fits well. A choice that does not fit is ignored. */
export type LayoutChoice = "auto" | "stacked" | "split";

export interface PreferencesState {
  readonly keys: readonly Key[];
  /** Nothing changes by time alone. */
  readonly calm: boolean;
  readonly confirmQuit: boolean;
  readonly layout: LayoutChoice;
  /** Whether times are shown as an age or as a time of the clock. */
  readonly times: "ago" | "clock";
  /** The terminal reported a light background. */
  readonly light: boolean;
}
