import {
  boardHeight,
  boardRows,
  cursorIndex,
  fold,
  foldAll,
  foldOrLeave,
  keepingCursor,
  markRange,
  moveBy,
  moveTo,
  nextOrder,
  nextStatus,
  setQuery,
  toggleMark,
  withBoard,
} from "../board.ts";
import { filterWords } from "../choices.ts";
import { needsIssue, openIssue } from "../detail.ts";
import { fieldOf } from "../field.ts";
import { filterForm } from "../filter-form.ts";
import { NO_FILTER } from "../query.ts";
import { step } from "../step.ts";
import { type Doings, to } from "./doing.ts";

export const LIST = {
  down: to((state) => moveBy(state, 1)),
  up: to((state) => moveBy(state, -1)),
  "page-down": to((state) => moveBy(state, boardHeight(state) - 1)),
  "page-up": to((state) => moveBy(state, 1 - boardHeight(state))),
  first: to((state) => moveTo(state, 0)),
  last: to((state) => moveTo(state, boardRows(state).length - 1)),
  open: { run: (state) => openIssue(state, state.board.cursor), why: needsIssue },
  mark: { ...to(toggleMark), why: needsIssue },
  "mark-range": { ...to(markRange), why: needsIssue },
  filter: {
    run: (state) => {
      const { query } = state.board;
      const text = query === "" || query.endsWith(" ") ? query : `${query} `;
      const choices = filterWords(state);
      return step({
        ...state,
        sheet: {
          sheet: "prompt",
          kind: "filter",
          label: "filter",
          field: fieldOf(text),
          uids: [],
          before: query,
          choices,
        },
      });
    },
  },
  "filter-form": to((state) => ({ ...state, sheet: filterForm(state) })),
  "next-status": to(nextStatus),
  "clear-filter": {
    ...to((state) => setQuery(state, NO_FILTER)),
    why: ({ board }) => (board.query === NO_FILTER ? "no filter is set" : undefined),
  },
  flat: to((state) => keepingCursor(state, (now) => withBoard(now, { flat: !now.board.flat }))),
  "next-order": to(nextOrder),
  unfold: to((state) => {
    const row = boardRows(state)[cursorIndex(state)];
    return row?.fold === "folded" ? fold(state, row.issue.uid, false) : state;
  }),
  fold: to(foldOrLeave),
  "fold-all": to(foldAll),
} satisfies Doings;
