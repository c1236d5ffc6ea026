import { isSplit } from "../detail/detail.ts";
import { paneOf } from "../detail/panes.ts";
import { NO_FILTER } from "../issues/query.ts";
import { SORTS, type Sort } from "../issues/sort.ts";
import type { ScopeList } from "../keys.ts";
import { oneOf, type Place } from "../place/place.ts";
import type { ScreenRecord } from "../screen.ts";
import { CURSOR, CUT, FAILED, MEANT, PENDING, PRIORITY, type Sign, STATES } from "../signs.ts";
import { type State, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import type { AcceptedWrite } from "../writes/changes.ts";
import { backOnBoard, whyNoBack } from "./back.ts";
import {
  boardRows,
  cursorIndex,
  keepingCursor,
  moveBy,
  moveTo,
  readingPage,
  setQuery,
  toOrder,
  toView,
} from "./board.ts";
import { moveInBrowse } from "./browse.ts";
import { BROWSE_COMMANDS } from "./browse-commands.ts";
import { withChanged, withFaded } from "./changed.ts";
import { boardActs, emptyBoard } from "./empty.ts";
import { BOARD_ENTRIES } from "./entries.ts";
import { askFilter } from "./filter.ts";
import { FILTER_FORM } from "./filter-form.ts";
import { BOARD_KEYS } from "./keys.ts";
import { LANE_COMMANDS } from "./lane-commands.ts";
import { isLanes } from "./lanes.ts";
import { LIST_COMMANDS } from "./list-commands.ts";
import { BOARD_TARGETS, onBoardScrolled } from "./pointed.ts";
import { BOARD_PROMPTS } from "./prompts.ts";
import { boardReducer } from "./reducer.ts";
import { initialBoard, VIEWS, type View } from "./state.ts";

declare module "../place/place.ts" {
  interface ScreenPlaces {
    readonly board: { readonly query: string; readonly view: View; readonly order: Sort };
  }
}

const LIST: ScopeList = ["list", "issue", "everywhere"];
const LANES: ScopeList = ["lanes", "list", "issue", "everywhere"];
const BROWSE: ScopeList = ["browse", "lines", "everywhere"];

const SIGNS: readonly Sign[] = [
  CURSOR,
  { text: "*", glyph: "marked", label: "marked: a command acts on all that are" },
  PENDING,
  FAILED,
  ...STATES,
  { text: "~", glyph: "context", label: "does not match: shown for what is below it" },
  MEANT,
  { text: "+", glyph: "folded", label: "its children are hidden: right shows them" },
  { text: "-", glyph: "unfolded", label: "its children follow: left hides them" },
  { text: "(1/6)", label: "of six children one is closed" },
  PRIORITY,
  { text: "bold", label: "another hand changed it just now" },
  CUT,
];

/** The issues of a project, or of all, as a list or in lanes. All other screens lead back here. */
export const BOARD: ScreenRecord<"board"> = {
  name: "board",
  initial: ({ views }) => initialBoard(views),
  carriedOver: ({ board: { views } }) => ({ views }),

  keys: BOARD_KEYS,
  help: {
    list: { where: "on the board", heading: "Board" },
    lanes: { where: "in lanes", heading: "Lanes" },
    browse: { where: "in the pane of views", heading: "Views and projects" },
  },
  signs: { list: SIGNS, browse: [CURSOR] },
  shownBy: "board",
  opensBy: "open",
  commands: { ...LIST_COMMANDS, ...LANE_COMMANDS, ...BROWSE_COMMANDS },
  scopes: [LIST, LANES, BROWSE],
  scopesNow: (state) => {
    if (paneOf(state) === "browse") return BROWSE;
    return isLanes(state) ? LANES : LIST;
  },
  filter: askFilter,
  entries: BOARD_ENTRIES,
  prompts: BOARD_PROMPTS,
  forms: { filter: FILTER_FORM },
  targets: BOARD_TARGETS,
  scrolled: onBoardScrolled,

  rows: {
    count: (state) => boardRows(state).length,
    issues: (state) =>
      boardRows(state).map(({ issue, context }) => (context ? undefined : issue.uid)),
    shows: (state, uid) => boardRows(state).some(({ issue }) => issue.uid === uid),
    offPage: ({ board: { search } }) => search?.found ?? [],
    isRead: ({ loading }) => loading.stage === "done",
    cursor: cursorIndex,
    withCursor: moveTo,
    move: (state, by) =>
      step(paneOf(state) === "browse" ? moveInBrowse(state, by) : moveBy(state, by)),
    isInUse: (state) => paneOf(state) !== "browse",
  },
  issueUnderCursor: ({ board }) => board.cursor,
  issueBeside: (state) => (isSplit(state) ? state.board.cursor : undefined),
  hasPanes: true,
  hasMarks: true,
  keepingCursor: (state, change, isPage) =>
    isPage ? readingPage(state, change) : keepingCursor(state, change),

  isOfProject: true,
  empty: emptyBoard,
  emptyActs: boardActs,

  reducer: boardReducer,
  // Reading everything again reads the issues too, since all screens need them.
  reads: () => [],
  readsAfterEvents: () => [],
  withEvents: withChanged,
  onTick: (state) => step(withFaded(state)),
  withoutProject: (state) =>
    withSlice(state, "board", {
      search: undefined,
      cursor: undefined,
      line: 0,
      places: new Map(),
      left: 0,
      anchor: undefined,
    }),

  afterWrites: (state, made) => step(withNewIssue(state, made)),

  back: backOnBoard,
  whyNoBack,
  address: {
    fields: {
      query: { parameter: "filter", usual: NO_FILTER, parse: (text) => text },
      view: { parameter: "view", usual: "nested", parse: oneOf(VIEWS) },
      order: { parameter: "order", usual: "updated", parse: oneOf(SORTS) },
    },
    of: ({ board: { query, view, order } }) => ({ query, view, order }),
    follow,
  },
};

/** Moves the cursor to a new issue, or to an issue that an undo restored. */
function withNewIssue(state: State, { write, batch, issue }: AcceptedWrite): State {
  const isNew = write.act === "create" || batch.via !== "person";
  const isShown = isNew && boardRows(state).some((row) => row.issue.uid === issue?.uid);
  return isShown
    ? keepingCursor(withSlice(state, "board", { cursor: issue?.uid }), (now) => now)
    : state;
}

function follow(state: State, { query, view, order }: Place): Step {
  const filtered = state.board.query === query ? state : setQuery(state, query);
  const viewed = filtered.board.view === view ? filtered : toView(filtered, view);
  return step(viewed.board.order === order ? viewed : toOrder(viewed, order));
}
