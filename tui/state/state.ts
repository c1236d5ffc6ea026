import type { Instant } from "../../src/base/clock.ts";
import type { pollEvents } from "../../src/contract/activity.ts";
import type { listCronJobs, listCronWorkflows } from "../../src/contract/cron.ts";
import type { previewCronJob, showCronJobLedger } from "../../src/contract/cron-ledger.ts";
import type { listCronRuns } from "../../src/contract/cron-runs.ts";
import type { criticalPath, reachableIssueGraph } from "../../src/contract/graph.ts";
import type { listInboxGlobal } from "../../src/contract/inbox.ts";
import type { showIssue } from "../../src/contract/issues.ts";
import type { Output } from "../../src/contract/route.ts";
import { KEYS, type Key } from "../keys.ts";
import type { LayoutChoice } from "../layout.ts";
import type { Field } from "./field.ts";
import { type Issue, type Issues, NO_ISSUES } from "./issues.ts";
import type { Order } from "./order.ts";
import { NO_FILTER } from "./query.ts";
import type { At, Write } from "./writes.ts";

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
  /** The refused write that it tells of, which can be tried again. */
  readonly failed?: number;
  /** What the key of that name does next is on the screen: of this step, so that it may be done. */
  readonly offers?: "undo" | "redo";
  readonly id?: number;
}

export type IssueEvent = Output<typeof pollEvents>["events"][number];

/** What the detail of one issue shows. What could not be read says why in its own place. */
export interface Detail {
  readonly uid: string;
  readonly show: Output<typeof showIssue> | undefined;
  readonly error: string | undefined;
  readonly events: readonly IssueEvent[] | undefined;
  readonly eventsError: string | undefined;
  /** The other ends of its links, of other projects too. */
  readonly peers: readonly Issue[] | undefined;
  readonly peersError: string | undefined;
}

export type DetailPart = Partial<Omit<Detail, "uid">>;

export const SECTIONS = ["Comments", "Events", "Links", "Dates", "Children"] as const;
export type Section = (typeof SECTIONS)[number];

/** How the board shows its issues, in the order in which a key goes through them. */
export const VIEWS = ["nested", "flat", "states", "owners"] as const;
export type View = (typeof VIEWS)[number];

/** Where a lane was left: its card, which one in the lane that was, and how many lines were drawn above it. */
export interface LanePlace {
  readonly uid: string;
  readonly at: number;
  readonly line: number;
}

/** Where a person is in an issue. */
export type Place = Pick<State, "section" | "scroll" | "chosenRef">;

export interface Touched {
  readonly uid: string;
  readonly text: string;
  readonly at: Instant;
}

/** What the daemon found for these words. */
export interface Search {
  readonly words: string;
  /** An answer to another question is dropped. */
  readonly serial: number;
  /** The best match first; nothing while it looks. */
  readonly found: readonly string[] | undefined;
  /** By words, by meaning or both, as the daemon says. */
  readonly how: string;
}

export interface BoardState {
  /** Its rows are shown instead of those of the filter. */
  readonly search: Search | undefined;
  readonly query: string;
  readonly view: View;
  readonly order: Order;
  readonly cursor: string | undefined;
  /** On which line of the pane or lane the cursor is; it scrolls so that its issue stays there. */
  readonly line: number;
  /** The lanes where the cursor is not, by their names. */
  readonly places: ReadonlyMap<string, LanePlace>;
  /** Which lane is the leftmost that is drawn. */
  readonly left: number;
  readonly marks: ReadonlySet<string>;
  /** Where a range of marks began. */
  readonly anchor: string | undefined;
  readonly folded: ReadonlySet<string>;
}

export interface GraphState {
  readonly source: string;
  readonly depth: number | "full";
  readonly hideDone: boolean;
  readonly transitive: boolean;
  readonly folded: ReadonlySet<string>;
  readonly cursor: number;
  readonly data: Output<typeof reachableIssueGraph> | undefined;
  /** Instead of the tree: the longest chain of open blockers. */
  readonly chain: Output<typeof criticalPath> | undefined;
  readonly showChain: boolean;
  readonly error: string | undefined;
}

type InboxRequest = Output<typeof listInboxGlobal>["requests"][number];
type RequestField =
  | "issue_uid"
  | "project_id"
  | "title"
  | "from"
  | "message"
  | "teammate"
  | "event_uid"
  | "requested_at";

/** A request, or what stands where one should. */
export type InboxItem = { readonly [K in RequestField]?: InboxRequest[K] | undefined } & {
  readonly to: string;
  /** `project#short_id` */
  readonly ref: string;
  /** Why it cannot be read; then nothing else of it is known. */
  readonly fault?: string;
};

/** Requests to exact addresses; reading clears none. */
export interface InboxState {
  readonly address: string;
  /** To every name of this person, not to the one address alone. */
  readonly all: boolean;
  readonly requests: readonly InboxItem[] | undefined;
  readonly cursor: number;
  readonly error: string | undefined;
}

export type CronJob = Output<typeof listCronJobs>["jobs"][number];
export type CronRun = Output<typeof listCronRuns>["runs"][number];

export const CRON_TABS = ["runs", "jobs", "workflows", "ledger", "preview"] as const;
export type CronTab = (typeof CRON_TABS)[number];

export interface CronState {
  readonly tab: CronTab;
  readonly cursor: number;
  readonly jobs: readonly CronJob[] | undefined;
  readonly workflows: Output<typeof listCronWorkflows>["workflows"] | undefined;
  readonly runs: readonly CronRun[] | undefined;
  /** The last run that was read, where older ones may follow. */
  readonly more: string | undefined;
  /** Whose ledger and preview are shown. */
  readonly job: { readonly uid: string; readonly name: string } | undefined;
  readonly ledger: Output<typeof showCronJobLedger> | undefined;
  readonly preview: Output<typeof previewCronJob> | undefined;
  /** The daemon knows nothing of jobs and runs, and is not asked again. */
  readonly unsupported: boolean;
  readonly error: string | undefined;
}

/** Somebody who leases an issue or owns an open one, as the daemon last said. */
export interface FleetRow {
  readonly at: At;
  readonly title: string;
  readonly holder: string;
  /** Of the issue: who may be another than who leases it. */
  readonly owner: string | undefined;
  readonly since: Instant;
  readonly lease:
    | {
        readonly expires_at: Instant | undefined;
        readonly fence: number;
        readonly purpose: string;
      }
    | undefined;
  /** What the holder did last, anywhere. */
  readonly last:
    | { readonly kind: string; readonly at: Instant; readonly uid: string | undefined }
    | undefined;
}

export interface FleetState {
  /** Whose issues the rows are of; nothing: of all projects. */
  readonly project_id: number | undefined;
  readonly rows: readonly FleetRow[] | undefined;
  readonly cursor: number;
  readonly text: string;
  readonly silentOnly: boolean;
  /** Who was not heard of for so long is silent. */
  readonly silentAfterMs: number;
  readonly truncated: boolean;
  readonly error: string | undefined;
}

/** What a field may be completed with. */
export type Completion = "ref" | "label" | "owner";

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly value: Field;
  /** What the form was opened with, to know whether anything would be lost. */
  readonly initial: string;
  readonly lines: number;
  readonly choices?: readonly string[];
  readonly complete?: Completion;
  /** Given by how the form was opened; it is unlocked by taking it away. */
  readonly locked?: boolean;
}

/** Which form it is, and what it is about. */
export type FormKind =
  | {
      readonly form: "new";
      readonly project: { readonly id: number; readonly name: string };
      readonly key: string;
      readonly force: boolean;
    }
  | { readonly form: "edit"; readonly uid: string; readonly revision: number }
  | {
      readonly form: "comment";
      readonly uid: string;
      readonly key: string;
      /** What follows when the comment is made. */
      readonly after?: Write;
    }
  | { readonly form: "edit-comment"; readonly uid: string; readonly comment: string }
  | { readonly form: "dates"; readonly uids: readonly string[] }
  | { readonly form: "close"; readonly uids: readonly string[] }
  | { readonly form: "filter" };

export interface FormSheet {
  readonly sheet: "form";
  /** Of this opening of it: the answer to an older one means nothing here. */
  readonly id: number;
  readonly kind: FormKind;
  readonly title: string;
  readonly fields: readonly FormField[];
  readonly focus: number;
  readonly saving: boolean;
  readonly error: string | undefined;
  /** What the refusal names: issues that look like the new one. */
  readonly notes: readonly string[];
  /** Escape was pressed once on a changed draft. */
  readonly leaving: boolean;
  /** Which suggestion for the field in focus is chosen; none at first. */
  readonly choose?: number;
  readonly found?: Found;
}

/** What the daemon knows to a text that nothing loaded fits. */
export interface Found {
  readonly text: string;
  readonly choices: readonly string[];
}

/** What a line that is asked for is used for. */
export type PromptKind =
  | "filter"
  | "add-label"
  | "remove-label"
  | "owner"
  | "parent"
  | "blocker"
  | "related"
  | "unlink"
  | "own-comment"
  | "move"
  | "message"
  | "recipient"
  | "address"
  | "holders"
  | "view"
  | "search"
  | "project";

export interface PromptSheet {
  readonly sheet: "prompt";
  readonly kind: PromptKind;
  readonly label: string;
  readonly field: Field;
  readonly uids: readonly string[];
  /** What was there before, for Escape. */
  readonly before: string;
  readonly choices: readonly string[];
  /** Which suggestion is chosen; none at first. */
  readonly choose?: number;
  readonly found?: Found;
  /** The issue where it may be none of those that are loaded. */
  readonly about?: At;
}

/** A draft that somebody else's change got in the way of. */
export interface ConflictSheet {
  readonly sheet: "conflict";
  readonly form: FormSheet;
  readonly uid: string;
  /** The key that gives the draft up was pressed once. */
  readonly leaving: boolean;
}

export type Sheet =
  | FormSheet
  | PromptSheet
  | {
      readonly sheet: "menu";
      readonly kind: "help" | "palette";
      readonly field: Field;
      readonly at: number;
    }
  | { readonly sheet: "priority"; readonly uids: readonly string[] }
  | {
      readonly sheet: "confirm";
      readonly text: string;
      readonly writes: readonly Write[];
      /** Where it was asked from, and what Escape goes back to. */
      readonly input?: Sheet | undefined;
    }
  | {
      readonly sheet: "type";
      readonly text: string;
      readonly expected: string;
      readonly field: Field;
      readonly writes: readonly Write[];
      readonly input?: Sheet | undefined;
    }
  | ConflictSheet
  /** What stays open under the question is what would be lost. */
  | { readonly sheet: "daemons"; readonly at: number }
  | { readonly sheet: "quit"; readonly under?: Sheet | undefined }
  | { readonly sheet: "list"; readonly kind: "writes" | "messages"; readonly at: number };

/** Writes that were sent together: one thing that was done, and one that is taken back. */
export interface Batch {
  readonly id: number;
  /** What they were typed into, to be opened again when they are refused. */
  readonly input: Sheet | undefined;
  readonly via: "person" | "undo" | "redo";
  /** What is taken back, or made again. */
  readonly step?: UndoStep;
}

/** A write that was made, and what takes it back. */
export interface Pair {
  readonly forward: Write;
  readonly inverse: Write;
}

export interface UndoStep {
  readonly id: number;
  readonly pairs: readonly Pair[];
}

/** A write that was made or is under way. */
export interface Done {
  readonly id: number;
  readonly batch: Batch;
  readonly write: Write;
  readonly state: "pending" | "done" | "failed";
  readonly text: string;
  readonly code: string | undefined;
  /** The issue as it was. */
  readonly before: Issue | undefined;
  /** What takes it back; nothing where nothing does. */
  readonly inverse: Write | undefined;
  /** What looks like the issue that was not made. */
  readonly candidates?: readonly string[] | undefined;
}

export interface State {
  readonly columns: number;
  readonly rows: number;
  readonly now: Instant;
  readonly actor: string;
  readonly daemon: string;
  /** Those that can be changed to. */
  readonly daemons: readonly DaemonItem[];
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
  readonly scope: Scope;
  readonly screen: Screen;
  readonly projects: readonly ProjectItem[];
  readonly projectCursor: number;
  /** As they are shown: with what is under way. */
  readonly issues: Issues;
  /** Issues that a write is under way for, as the daemon has them. */
  readonly truth: ReadonlyMap<string, Issue>;
  readonly loading: "nothing" | "first" | "rest" | "done";
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
  /** When each actor was heard of since the screen is open. */
  readonly lastSeen: ReadonlyMap<string, Instant>;
  readonly sheet: Sheet | undefined;
  readonly notice: Notice | undefined;
  readonly notices: readonly Notice[];
  readonly live: LiveState;
  readonly done: readonly Done[];
  /** What can be taken back and made again, the last first. */
  readonly undo: readonly UndoStep[];
  readonly redo: readonly UndoStep[];
  /** The last refused write of each issue, until the person has looked at it. */
  readonly failed: ReadonlyMap<string, number>;
  /** Why nothing may be changed here, where the daemon said so. */
  readonly readOnly: string | undefined;
  /** When each issue last changed by another hand than ours. */
  readonly changed: ReadonlyMap<string, Instant>;
  /** Where the mouse was last pressed, and when. */
  readonly clicked: { readonly x: number; readonly y: number; readonly at: Instant } | undefined;
  readonly serial: number;
  /** Answers about issues with an older number are about another scope. */
  readonly scopeSerial: number;
  /** Names this session, so that keys of its requests are no other's. */
  readonly session: string;
  readonly replay: ReplayState | undefined;
}

export const EMPTY_CRON: CronState = {
  tab: "runs",
  cursor: 0,
  jobs: undefined,
  workflows: undefined,
  runs: undefined,
  more: undefined,
  job: undefined,
  ledger: undefined,
  preview: undefined,
  unsupported: false,
  error: undefined,
};

export const EMPTY_FLEET: Omit<FleetState, "silentAfterMs"> = {
  project_id: undefined,
  rows: undefined,
  cursor: 0,
  text: "",
  silentOnly: false,
  truncated: false,
  error: undefined,
};

/** Unless a person says otherwise: `[tui] silent_after`. */
const SILENT_AFTER_MS = 15 * 60_000;

export interface Start {
  readonly daemons?: readonly DaemonItem[];
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
}

export function initialState(start: Start): State {
  const { columns, rows, now, actor, daemon, version, scope, open, session, confirmQuit, inboxOf } =
    start;
  const { keys = KEYS, calm = false, layout = "auto", replay, daemons = [] } = start;
  const { silentAfterMs = SILENT_AFTER_MS } = start;
  return {
    columns,
    rows,
    now,
    actor,
    daemon,
    daemons,
    version,
    api: undefined,
    quickClose: true,
    confirmQuit,
    keys,
    calm,
    light: false,
    scope: scope ?? { project: undefined },
    screen: scope === undefined ? "projects" : "board",
    projects: [],
    projectCursor: 0,
    issues: NO_ISSUES,
    truth: new Map(),
    loading: "nothing",
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
    done: [],
    undo: [],
    redo: [],
    failed: new Map(),
    readOnly: undefined,
    changed: new Map(),
    clicked: undefined,
    serial: 0,
    scopeSerial: 0,
    session,
    replay,
  };
}
