import { initialConnection } from "./connection/state.ts";
import { initialDetail } from "./detail/state.ts";
import { HOME_SCREEN } from "./home-screen.ts";
import { NO_ISSUES } from "./issues/issues.ts";
import { allKeys } from "./keys.ts";
import { NOT_LOADED } from "./loading/state.ts";
import { Memo } from "./memo.ts";
import { NO_MESSAGES } from "./messages/state.ts";
import { initialScope } from "./scope/state.ts";
import type { ScreenRecord } from "./screen.ts";
import type { Start } from "./start.ts";
import type { ScreenStates, State } from "./state.ts";
import { initialWindow } from "./window/state.ts";
import { initialWrites } from "./writes/state.ts";

export function initialState(start: Start & Pick<State, "screens">): State {
  const { fit, screens, now, zone, actor, version, session: id, replay } = start;
  const {
    confirmQuit,
    keys = allKeys(screens),
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
    screen: screens.find(({ isFirst }) => isFirst?.(start) === true)?.name ?? HOME_SCREEN,
    scope: initialScope(start.scope),
    issues: NO_ISSUES,
    marks: new Set(),
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
