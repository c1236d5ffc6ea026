import type { Key } from "../keys.ts";

/** One pane at a time, two panes even in little room, or what fits well. A choice that does not fit is ignored. */
export type LayoutChoice = "auto" | "stacked" | "split";

export interface PreferencesState {
  readonly keys: readonly Key[];
  /** Reduced motion: nothing changes by time alone. */
  readonly calm: boolean;
  readonly confirmQuit: boolean;
  readonly layout: LayoutChoice;
  readonly times: "ago" | "clock";
  readonly light: boolean;
}
