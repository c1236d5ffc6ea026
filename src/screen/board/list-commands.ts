import type { CommandHandlers } from "../command.ts";
import { issueCommand, stateCommand, writeCommand } from "../commands/command-handler.ts";
import { needsIssue, openIssue } from "../detail/detail.ts";
import { openNewForm } from "../forms/forms.ts";
import { commentForm } from "../forms/text-forms.ts";
import { NO_FILTER } from "../issues/query.ts";
import { toScreen } from "../state.ts";
import {
  boundsOf,
  moveBy,
  moveTo,
  nextGrouping,
  nextOrder,
  nextStatus,
  nextView,
  pageOf,
  reverseOrder,
  setQuery,
  whyNoOrder,
} from "./board.ts";
import { askColumns } from "./columns.ts";
import { filterForm } from "./filter-form.ts";
import { foldAll, foldOrLeave, unfold } from "./folding.ts";
import { isGrouped } from "./groups.ts";
import { markRange, toggleMark } from "./marks.ts";
import { openSearchPrompt } from "./search.ts";
import { askView, askViewName, toTab, whyNoTabs } from "./views.ts";

export const LIST_COMMANDS = {
  board: stateCommand((state) => toScreen(state, "board")),
  "show-view": stateCommand(askView),
  down: stateCommand((state) => moveBy(state, 1)),
  up: stateCommand((state) => moveBy(state, -1)),
  "page-down": stateCommand((state) => moveBy(state, pageOf(state))),
  "page-up": stateCommand((state) => moveBy(state, -pageOf(state))),
  first: stateCommand((state) => moveTo(state, boundsOf(state).start)),
  last: stateCommand((state) => moveTo(state, boundsOf(state).end - 1)),
  open: { run: (state) => openIssue(state, state.board.cursor), why: needsIssue },
  mark: { ...stateCommand(toggleMark), why: needsIssue },
  "mark-range": { ...stateCommand(markRange), why: needsIssue },
  "filter-form": stateCommand((state) => ({ ...state, dialog: filterForm(state) })),
  "next-status": {
    ...stateCommand(nextStatus),
    why: ({ board }) => (board.view === "states" ? "the lanes are the states" : undefined),
  },
  search: { ...stateCommand(openSearchPrompt), needsDaemon: true },
  "save-view": stateCommand(askViewName),
  "clear-filter": {
    ...stateCommand((state) => setQuery(state, NO_FILTER)),
    why: ({ board }) =>
      board.query === NO_FILTER && board.search === undefined ? "no filter is set" : undefined,
  },
  "next-view": stateCommand(nextView),
  "next-group": stateCommand(nextGrouping),
  "next-order": { ...stateCommand(nextOrder), why: whyNoOrder },
  "next-tab": { ...stateCommand((state) => toTab(state, 1)), why: whyNoTabs },
  "previous-tab": { ...stateCommand((state) => toTab(state, -1)), why: whyNoTabs },
  columns: stateCommand(askColumns),
  "list-comment": writeCommand(
    issueCommand((state, issue) => openNewForm(state, (id) => commentForm(state, issue, id))),
  ),
  "reverse-order": { ...stateCommand(reverseOrder), why: whyNoOrder },
  unfold: stateCommand(unfold),
  fold: stateCommand(foldOrLeave),
  "fold-all": {
    ...stateCommand(foldAll),
    why: (state) =>
      state.board.view === "nested" || isGrouped(state)
        ? undefined
        : "only the nested list and the groups fold",
  },
} satisfies CommandHandlers;
