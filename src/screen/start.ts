import type { Instant } from "../base/clock.ts";
import type { Column } from "./board/column-names.ts";
import type { SavedView } from "./board/state.ts";
import type { DaemonItem } from "./connection/state.ts";
import type { Fit } from "./fit.ts";
import type { Draft } from "./forms/dialog.ts";
import type { Key } from "./keys.ts";
import type { OwnCommand } from "./preferences/own-command.ts";
import type { LayoutChoice } from "./preferences/state.ts";
import type { Scope } from "./scope/state.ts";
import type { ReplayState } from "./session/state.ts";
import type { State } from "./state.ts";

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
