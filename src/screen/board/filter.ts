import { promptDialog } from "../forms/dialog.ts";
import { filterWords } from "../issues/choices.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";

export function askFilter(state: State): Step {
  const { query } = state.board;
  const text = query === "" || query.endsWith(" ") ? query : `${query} `;
  const more = { text, before: query, choices: filterWords(state) };
  return step({ ...state, dialog: promptDialog("filter", "filter", more) });
}
