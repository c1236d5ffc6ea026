import type { Instant } from "../base/clock.ts";
import type { Column } from "./board/column-names.ts";
import type { SavedView } from "./board/state.ts";
import { type DaemonItem, initialConnection } from "./connection/state.ts";
import { initialDetail } from "./detail/state.ts";
import type { Fit } from "./fit.ts";
import type { Draft } from "./forms/dialog.ts";
import { NO_ISSUES } from "./issues/issues.ts";
import { KEYS, type Key } from "./keys.ts";
import { NOT_LOADED } from "./loading/state.ts";
import { Memo } from "./memo.ts";
import { NO_MESSAGES } from "./messages/state.ts";
import type { OwnCommand } from "./preferences/own-command.ts";
import type { LayoutChoice } from "./preferences/state.ts";
import type { Scope } from "./projects/state.ts";
import type { ScreenRecord } from "./screen.ts";
import type { ReplayState } from "./session/state.ts";
import type { ScreenStates, State } from "./state.ts";
import { initialWindow } from "./window/state.ts";
import { initialWrites } from "./writes/state.ts";

export interface Start {
  readonly daemons?: readonly DaemonItem[];
  readonly configFile?: string;
  readonly fit: Fit;
  readonly screens: readonly ScreenRecord[];
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
  const { fit, screens, now, zone, actor, version, scope, session: id, replay } = start;
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
    ...entriesOf(screens, start),
    memo: new Memo(),
    fit,
    screens,
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
    issues: NO_ISSUES,
    loading: NOT_LOADED,
    detail: initialDetail(start.open),
    dialog: undefined,
    messages: NO_MESSAGES,
    writes: initialWrites(start.drafts),
  };
}

function entriesOf(screens: readonly ScreenRecord[], start: Start): ScreenStates {
  const entries = screens.map((screen) => [screen.name, screen.initial(start)] as const);
  // The cast is safe: each record makes the entry of its own name.
  return Object.fromEntries(entries) as unknown as ScreenStates;
}
