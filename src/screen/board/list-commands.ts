import type { CommandHandlers } from "../command.ts";
import { onOne, to, writing } from "../commands/command-handler.ts";
import { needsIssue, openIssue } from "../detail/detail.ts";
import { commentForm, opened } from "../forms/forms.ts";
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
import { askSearch } from "./search.ts";
import { askView, askViewName, toTab, whyNoTabs } from "./views.ts";

export const LIST_COMMANDS = {
  board: to((state) => toScreen(state, "board")),
  "show-view": to(askView),
  down: to((state) => moveBy(state, 1)),
  up: to((state) => moveBy(state, -1)),
  "page-down": to((state) => moveBy(state, pageOf(state))),
  "page-up": to((state) => moveBy(state, -pageOf(state))),
  first: to((state) => moveTo(state, boundsOf(state).start)),
  last: to((state) => moveTo(state, boundsOf(state).end - 1)),
  open: { run: (state) => openIssue(state, state.board.cursor), why: needsIssue },
  mark: { ...to(toggleMark), why: needsIssue },
  "mark-range": { ...to(markRange), why: needsIssue },
  "filter-form": to((state) => ({ ...state, dialog: filterForm(state) })),
  "next-status": {
    ...to(nextStatus),
    why: ({ board }) => (board.view === "states" ? "the lanes are the states" : undefined),
  },
  search: { ...to(askSearch), needsDaemon: true },
  "save-view": to(askViewName),
  "clear-filter": {
    ...to((state) => setQuery(state, NO_FILTER)),
    why: ({ board }) =>
      board.query === NO_FILTER && board.search === undefined ? "no filter is set" : undefined,
  },
  "next-view": to(nextView),
  "next-group": to(nextGrouping),
  "next-order": { ...to(nextOrder), why: whyNoOrder },
  "next-tab": { ...to((state) => toTab(state, 1)), why: whyNoTabs },
  "previous-tab": { ...to((state) => toTab(state, -1)), why: whyNoTabs },
  columns: to(askColumns),
  "list-comment": writing(
    onOne((state, issue) => opened(state, (id) => commentForm(state, issue, id))),
  ),
  "reverse-order": { ...to(reverseOrder), why: whyNoOrder },
  unfold: to(unfold),
  fold: to(foldOrLeave),
  "fold-all": {
    ...to(foldAll),
    why: (state) =>
      state.board.view === "nested" || isGrouped(state)
        ? undefined
        : "only the nested list and the groups fold",
  },
} satisfies CommandHandlers;
