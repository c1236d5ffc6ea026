import { matchingChoices } from "../forms/completion.ts";
import type { PromptKinds } from "../forms/dialog.ts";
import type { PromptRecord, PromptRecords } from "../prompt.ts";
import { step } from "../step.ts";
import { setQuery } from "./board.ts";
import { carryToNamed } from "./carry.ts";
import { toggleColumn } from "./columns.ts";
import { searchDaemon } from "./search.ts";
import { saveView, showView } from "./views.ts";

declare module "../forms/dialog.ts" {
  interface PromptKinds {
    readonly board: "filter" | "search" | "columns" | "lane" | "show-view" | "view";
  }
}

/** The filter takes effect at each typed character. */
const FILTER: PromptRecord = {
  wordChoices: (text, choices) => {
    const part = text.split(" ").at(-1) ?? "";
    return part === "" ? [] : matchingChoices(choices, part, undefined);
  },
  onChange: (state, text) => setQuery(state, text),
  onLeave: (state, { before }) => setQuery(state, before),
  key: (state, { field, before }, key) =>
    key === "ctrl+f" ? searchDaemon(state, field.text, before) : undefined,
  answer: (state, { field }) =>
    step(state.board.query === field.text ? state : setQuery(state, field.text)),
};

export const BOARD_PROMPTS: PromptRecords<PromptKinds["board"]> = {
  filter: FILTER,
  search: { answer: (state, dialog, text) => searchDaemon({ ...state, dialog }, text) },
  columns: {
    needsText: true,
    names: "choice",
    spaceTakes: true,
    answer: (state, { field }) => toggleColumn(state, field.text),
  },
  lane: {
    needsText: true,
    names: "choice",
    answer: (state, { uids }, text) => carryToNamed(state, uids, text),
  },
  "show-view": {
    needsText: true,
    names: "choice",
    answer: (state, _dialog, text) => showView(state, text),
  },
  view: { needsText: true, answer: (state, _dialog, text) => saveView(state, text) },
};
