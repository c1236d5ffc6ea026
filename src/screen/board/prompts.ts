import type { PromptKind } from "../forms/dialog.ts";
import type { PromptSteps } from "../screen.ts";
import { step } from "../step.ts";
import { setQuery } from "./board.ts";
import { carryToNamed } from "./carry.ts";
import { toggleColumn } from "./columns.ts";
import { searchDaemon } from "./search.ts";
import { saveView, showView } from "./views.ts";

export const BOARD_PROMPTS: Readonly<Partial<Record<PromptKind, PromptSteps>>> = {
  // The filter takes effect at each typed character.
  filter: {
    typed: (state, text) => setQuery(state, text),
    left: (state, { before }) => setQuery(state, before),
    key: (state, { field, before }, key) =>
      key === "ctrl+f" ? searchDaemon(state, field.text, before) : undefined,
    answer: (state, { field }) =>
      step(state.board.query === field.text ? state : setQuery(state, field.text)),
  },
  search: { answer: (state, dialog, text) => searchDaemon({ ...state, dialog }, text) },
  columns: { answer: (state, { field }) => toggleColumn(state, field.text) },
  lane: { answer: (state, { uids }, text) => carryToNamed(state, uids, text) },
  "show-view": { answer: (state, _dialog, text) => showView(state, text) },
  view: { answer: (state, _dialog, text) => saveView(state, text) },
};
