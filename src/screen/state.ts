import type { Instant } from "../base/clock.ts";
import { type Issue, type Issues, NO_ISSUES } from "./board/issues.ts";
import { NO_FILTER } from "./board/query.ts";
import type { Fit } from "./fit.ts";
import type { Draft, Sheet } from "./forms/sheet.ts";
import { KEYS, type Key } from "./keys.ts";
import { Memo } from "./memo.ts";
import {
  type BoardState,
  type CronState,
  type Detail,
  EMPTY_CRON,
  EMPTY_FLEET,
  type FleetState,
  type GraphState,
  type InboxState,
  type Section,
} from "./slices.ts";
import type { Done, UndoStep } from "./writes/done.ts";

/** The screens that have a number of their own, in that order. */
export const SCREENS = ["board", "inbox", "graph", "cron", "projects", "fleet"] as const;
export type Screen = (typeof SCREENS)[number];

/** Which projects' issues are on the board. */
export interface Scope {
  /** Nothing: all projects. */
  readonly project: { readonly id: number; readonly name: string } | undefined;
}

export interface ProjectItem {
  readonly uid: string;
  readonly id: number;
  readonly name: string;
  readonly open: number;
  readonly closed: number;
  readonly last: Instant | undefined;
}

/** A daemon that a person can change to, as config.toml names it. */
export interface DaemonItem {
  readonly name: string;
  readonly endpoint: string;
  /** Whether a token is sent to it. */
  readonly hasToken: boolean;
  /** Plain http to it is allowed whatever its address. */
  readonly allowInsecure: boolean;
}

/** A filter that the person keeps under a name. */
export interface SavedView {
  readonly name: string;
  readonly query: string;
}

/** One pane at a time, two also where there is little room, or as it fits well. What was chosen gives way where it cannot be. */
export type LayoutChoice = "auto" | "stacked" | "split";

/** A pane of the board. */
export type Focus = "browse" | "list" | "detail";

/** `polling`: the log may not be followed, and is read every few seconds. */
export type LiveState = "starting" | "live" | "polling" | "reconnecting";

export type Tone = "info" | "error";

/** A recording is shown: what is seen comes from it, and no daemon is there. */
export interface ReplayState {
  readonly speed: number;
  readonly ended: boolean;
}

/** A line for the person; errors stay until they are dismissed, others fade. */
export interface Notice {
  readonly tone: Tone;
  readonly text: string;
  readonly at: Instant;
  /** A word about the last key: it is not kept, and goes with the next key. */
  readonly isHint?: true;
  /** How long it is seen, where that is not as long as any other. */
  readonly seenMs?: number;
  /** The refused write that it tells of, which can be tried again. */
  readonly failed?: number;
  /** What the key of that name does next is on the screen: of this step, so that it may be done. */
  readonly offers?: "undo" | "redo";
  readonly id?: number;
}

/** Where a person is in an issue. */
export type Place = Pick<State, "section" | "scroll" | "chosenRef">;

export interface Touched {
  readonly uid: string;
  readonly text: string;
  readonly at: Instant;
}

export interface State {
  /** What is remembered of this screen's states; it is not a part of them. */
  readonly memo: Memo;
  /** What the painter says that fits. */
  readonly fit: Fit<State>;
  /** The room there is, as the painter told it and counts it. */
  readonly columns: number;
  readonly rows: number;
  readonly now: Instant;
  readonly actor: string;
  readonly daemon: string;
  /** Those that can be changed to. */
  readonly daemons: readonly DaemonItem[];
  /** Where config.toml is, which names them. */
  readonly configFile: string;
  readonly version: string;
  /** The version of the contract that the daemon speaks, once it has said so. */
  readonly api: string | undefined;
  /** The daemon closes without message and evidence for the owner of the machine. */
  readonly quickClose: boolean;
  readonly confirmQuit: boolean;
  readonly keys: readonly Key[];
  /** Nothing changes by time alone. */
  readonly calm: boolean;
  /** The terminal said that its background is light. */
  readonly light: boolean;
  /** Whether it is told how long ago something was, or when by the clock. */
  readonly times: "ago" | "clock";
  readonly scope: Scope;
  readonly screen: Screen;
  readonly projects: readonly ProjectItem[];
  readonly projectCursor: number;
  /** As they are shown: with what is under way. */
  readonly issues: Issues;
  /** Issues that a write is under way for, as the daemon has them. */
  readonly truth: ReadonlyMap<string, Issue>;
  readonly loading: "nothing" | "first" | "rest" | "done";
  /** Of a list that is being read: the uids on its pages so far. */
  readonly pages: readonly string[];
  readonly truncated: boolean;
  readonly board: BoardState;
  /** The issue that is open over the board; the last is shown, the others are the way back. */
  readonly open: readonly string[];
  readonly section: Section;
  readonly scroll: number;
  /** Texts as they were written, without what their marks mean. */
  readonly raw: boolean;
  /** Which of the issues that the open one names `enter` opens. */
  readonly chosenRef: number | undefined;
  /** Where the person was in the issues that were open before this one. */
  readonly trail: readonly Place[];
  /** What another hand last did to the issue that is shown. */
  readonly touched: Touched | undefined;
  readonly focus: Focus;
  /** Names the line of the browse pane that the cursor is on. */
  readonly browse: string | undefined;
  readonly views: readonly SavedView[];
  readonly layout: LayoutChoice;
  readonly details: ReadonlyMap<string, Detail>;
  /** Whose requests the inbox shows at first. */
  readonly inboxOf: string;
  readonly inbox: InboxState;
  readonly graph: GraphState | undefined;
  readonly cron: CronState;
  readonly fleet: FleetState;
  /** When each actor's last event came while the screen is open. */
  readonly lastSeen: ReadonlyMap<string, Instant>;
  readonly sheet: Sheet | undefined;
  readonly notice: Notice | undefined;
  readonly notices: readonly Notice[];
  readonly live: LiveState;
  /** Something is known to have changed that cannot be read: what is shown of it is old. */
  readonly behind: boolean;
  readonly done: readonly Done[];
  /** What can be taken back and made again, the last first. */
  readonly undo: readonly UndoStep[];
  readonly redo: readonly UndoStep[];
  /** The last refused write of each issue, also of one that is yet to be made (`subjectOf`), until the person has looked at it. */
  readonly failed: ReadonlyMap<string, number>;
  /** Why nothing may be changed here, where the daemon said so. */
  readonly readOnly: string | undefined;
  /** When each issue last changed by another hand than ours. */
  readonly changed: ReadonlyMap<string, Instant>;
  /** Forms that were typed into when an earlier screen was ended from outside. */
  readonly drafts: readonly Draft[];
  /** Which spot was clicked last, and when. */
  readonly clicked: { readonly spot: string; readonly at: Instant } | undefined;
  readonly serial: number;
  /** Answers about issues with an older number are about another scope. */
  readonly scopeSerial: number;
  /** Names this session, so that keys of its requests are no other's. */
  readonly session: string;
  readonly replay: ReplayState | undefined;
}

/** Comes to a screen: nothing is open over it, and what stands beside its list begins at the top. */
export function toScreen(state: State, screen: Screen): State {
  return { ...state, screen, open: [], focus: "list", scroll: 0, chosenRef: undefined };
}

export function withBoard(state: State, change: Partial<BoardState>): State {
  return { ...state, board: { ...state.board, ...change } };
}

/** Unless a person says otherwise: `[tui] silent_after`. */
const SILENT_AFTER_MS = 15 * 60_000;

export interface Start {
  readonly daemons?: readonly DaemonItem[];
  readonly configFile?: string;
  readonly fit: Fit<State>;
  readonly columns: number;
  readonly rows: number;
  readonly now: Instant;
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
  readonly silentAfterMs?: number;
  /** Whose requests the inbox shows at first. */
  readonly inboxOf: string;
  readonly views: readonly SavedView[];
  readonly replay?: ReplayState | undefined;
  readonly drafts?: readonly Draft[];
}

export function initialState(start: Start): State {
  const { fit, columns, rows, now, actor, daemon, version, scope, open, session } = start;
  const { confirmQuit, inboxOf } = start;
  const { keys = KEYS, calm = false, layout = "auto", replay, daemons = [] } = start;
  const { configFile = "config.toml", drafts = [] } = start;
  const { silentAfterMs = SILENT_AFTER_MS } = start;
  return {
    memo: new Memo(),
    fit,
    columns,
    rows,
    now,
    actor,
    daemon,
    daemons,
    configFile,
    version,
    api: undefined,
    quickClose: true,
    confirmQuit,
    keys,
    calm,
    light: false,
    times: "ago",
    scope: scope ?? { project: undefined },
    screen: scope === undefined ? "projects" : "board",
    projects: [],
    projectCursor: 0,
    issues: NO_ISSUES,
    truth: new Map(),
    loading: "nothing",
    pages: [],
    truncated: false,
    board: {
      search: undefined,
      query: NO_FILTER,
      view: "nested",
      order: "updated",
      cursor: undefined,
      line: 0,
      places: new Map(),
      left: 0,
      marks: new Set(),
      anchor: undefined,
      folded: new Set(),
    },
    open: open === undefined ? [] : [open],
    section: "Comments",
    scroll: 0,
    raw: false,
    chosenRef: undefined,
    trail: [],
    touched: undefined,
    focus: "list",
    browse: undefined,
    views: start.views,
    layout,
    details: new Map(),
    inboxOf,
    inbox: { address: inboxOf, all: false, requests: undefined, cursor: 0, error: undefined },
    graph: undefined,
    cron: EMPTY_CRON,
    fleet: { ...EMPTY_FLEET, silentAfterMs },
    lastSeen: new Map(),
    sheet: undefined,
    notice: undefined,
    notices: [],
    live: "starting",
    behind: false,
    done: [],
    undo: [],
    redo: [],
    failed: new Map(),
    readOnly: undefined,
    changed: new Map(),
    drafts,
    clicked: undefined,
    serial: 0,
    scopeSerial: 0,
    session,
    replay,
  };
}
