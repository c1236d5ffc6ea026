import type { Instant } from "../base/clock.ts";
import type { ConnectionState } from "./connection/state.ts";
import type { DetailState } from "./detail/state.ts";
import type { Fit } from "./fit.ts";
import type { Dialog } from "./forms/dialog.ts";
import type { Issues } from "./issues/issues.ts";
import type { LoadingState } from "./loading/state.ts";
import type { Memo } from "./memo.ts";
import type { MessagesState } from "./messages/state.ts";
import type { PreferencesState } from "./preferences/state.ts";
import type { ScopeState } from "./scope/state.ts";
import type { SessionState } from "./session/state.ts";
import type { WindowState } from "./window/state.ts";
import type { WritesState } from "./writes/state.ts";

/**
 * The entry of each screen in the state, by the name of the screen. The folder of a screen adds its entry in its
 * `state.ts`, so that this file knows no screen.
 */
// biome-ignore lint/suspicious/noEmptyInterface: each screen adds its entry.
export interface ScreenStates {}

export type Screen = keyof ScreenStates;

/**
 * All data from which the screen is drawn: an entry of each screen, and what the screens share. `screen.ts` adds the
 * table of the screens, `screens`, whose type refers to the state.
 */
export interface State extends ScreenStates {
  /** Caches of results that are computed from the rest of the state. */
  readonly memo: Memo;
  /** Asks the painter how much fits on the screen. */
  readonly fit: Fit<State>;
  readonly now: Instant;
  readonly session: SessionState;
  readonly preferences: PreferencesState;
  readonly window: WindowState;
  readonly connection: ConnectionState;
  /** The screen that is shown. */
  readonly screen: Screen;
  /** The loaded issues, with the expected results of writes in flight. */
  readonly issues: Issues;
  /** The uids of the marked issues. Commands act on them where the screen shows marks. */
  readonly marks: ReadonlySet<string>;
  readonly scope: ScopeState;
  readonly loading: LoadingState;
  readonly detail: DetailState;
  readonly dialog: Dialog | undefined;
  readonly messages: MessagesState;
  readonly writes: WritesState;
}

export function withSlice<Name extends Slice>(
  state: State,
  name: Name,
  change: Partial<State[Name]>,
): State {
  return { ...state, [name]: { ...state[name], ...change } };
}

type Slice = Exclude<
  keyof State,
  "memo" | "fit" | "screens" | "now" | "screen" | "issues" | "marks" | "graph" | "dialog"
>;

/** Switches to a screen and closes the issue that is open over it. */
export function toScreen(state: State, screen: Screen): State {
  const { detail, window } = state;
  return {
    ...state,
    screen,
    detail: { ...detail, open: [], trail: [], scroll: 0, chosenRef: undefined },
    window: { ...window, focus: "list" },
  };
}
