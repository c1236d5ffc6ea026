import type { Instant } from "../base/clock.ts";
import type { Column } from "./board/column-names.ts";
import { type BoardState, initialBoard, type SavedView } from "./board/state.ts";
import { type ConnectionState, type DaemonItem, initialConnection } from "./connection/state.ts";
import { type CronState, EMPTY_CRON } from "./cron/state.ts";
import { type DetailState, initialDetail } from "./detail/state.ts";
import type { Fit } from "./fit.ts";
import { type FleetState, initialFleet } from "./fleet/state.ts";
import type { Dialog, Draft } from "./forms/dialog.ts";
import type { GraphState } from "./graph/state.ts";
import { type InboxState, initialInbox } from "./inbox/state.ts";
import { type Issues, NO_ISSUES } from "./issues/issues.ts";
import { KEYS, type Key } from "./keys.ts";
import { type LoadingState, NOT_LOADED } from "./loading/state.ts";
import { Memo } from "./memo.ts";
import { type MessagesState, NO_MESSAGES } from "./messages/state.ts";
import type { OwnCommand } from "./preferences/own-command.ts";
import type { LayoutChoice, PreferencesState } from "./preferences/state.ts";
import { initialProjects, type ProjectsState, type Scope } from "./projects/state.ts";
import type { ReplayState, SessionState } from "./session/state.ts";
import { initialWindow, type WindowState } from "./window/state.ts";
import { initialWrites, type WritesState } from "./writes/state.ts";

/** The screens in the order of their number keys. */
export const SCREENS = ["board", "inbox", "graph", "cron", "projects", "fleet"] as const;
export type Screen = (typeof SCREENS)[number];

/**
 * All data from which the screen is drawn. Each subject, such as the board, has its own part (a slice), which is
 * described in the subject's folder.
 */
export interface State {
  /** Caches of results that are computed from the rest of the state. */
  readonly memo: Memo;
  /** Asks the painter how much fits on the screen. */
  readonly fit: Fit<State>;
  readonly now: Instant;
  readonly session: SessionState;
  readonly preferences: PreferencesState;
  readonly window: WindowState;
  readonly connection: ConnectionState;
  readonly screen: Screen;
  readonly projects: ProjectsState;
  /** The loaded issues, with the expected results of writes in flight. */
  readonly issues: Issues;
  readonly loading: LoadingState;
  readonly board: BoardState;
  readonly detail: DetailState;
  readonly inbox: InboxState;
  readonly graph: GraphState | undefined;
  readonly cron: CronState;
  readonly fleet: FleetState;
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
  "memo" | "fit" | "now" | "screen" | "issues" | "graph" | "dialog"
>;

/** Shows a screen with nothing open over it. */
export function toScreen(state: State, screen: Screen): State {
  const { detail, window } = state;
  return {
    ...state,
    screen,
    detail: { ...detail, open: [], trail: [], scroll: 0, chosenRef: undefined },
    window: { ...window, focus: "list" },
  };
}

export interface Start {
  readonly daemons?: readonly DaemonItem[];
  readonly configFile?: string;
  readonly fit: Fit<State>;
  readonly columns: number;
  readonly rows: number;
  readonly now: Instant;
  readonly zone: string;
  readonly actor: string;
  readonly daemon: string;
  readonly version: string;
  readonly scope: Scope | undefined;
  readonly open: string | undefined;
  readonly session: string;
  readonly confirmQuit: boolean;
  readonly keys?: readonly Key[];
  readonly calm?: boolean;
  readonly layout?: LayoutChoice;
  readonly listColumns?: readonly Column[] | undefined;
  readonly page?: string | undefined;
  readonly commands?: readonly OwnCommand[];
  readonly silentAfterMs?: number;
  /** The address that the inbox shows at first. */
  readonly inboxOf: string;
  readonly views: readonly SavedView[];
  readonly replay?: ReplayState | undefined;
  readonly drafts?: readonly Draft[];
}

export function initialState(start: Start): State {
  const { fit, now, zone, actor, version, scope, session: id, replay } = start;
  const {
    confirmQuit,
    keys = KEYS,
    calm = false,
    layout = "auto",
    listColumns,
    page,
    commands = [],
  } = start;
  return {
    memo: new Memo(),
    fit,
    now,
    session: { id, actor, version, serial: 0, replay },
    preferences: {
      keys,
      calm,
      confirmQuit,
      layout,
      listColumns,
      page,
      commands,
      times: "ago",
      zone,
      light: false,
    },
    window: initialWindow(start.columns, start.rows),
    connection: initialConnection(start.daemon, start.daemons, start.configFile),
    screen: scope === undefined ? "projects" : "board",
    projects: initialProjects(scope),
    issues: NO_ISSUES,
    loading: NOT_LOADED,
    board: initialBoard(start.views),
    detail: initialDetail(start.open),
    inbox: initialInbox(start.inboxOf),
    graph: undefined,
    cron: EMPTY_CRON,
    fleet: initialFleet(start.silentAfterMs),
    dialog: undefined,
    messages: NO_MESSAGES,
    writes: initialWrites(start.drafts),
  };
}
