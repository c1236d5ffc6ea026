import { leaveForList } from "../detail/detail.ts";
import { FLEET } from "../fleet/commands.ts";
import { promptDialog } from "../forms/dialog.ts";
import { INBOX } from "../inbox/commands.ts";
import { filterWords } from "../issues/choices.ts";
import { type State, toScreen } from "../state.ts";
import { type Step, step } from "../step.ts";
import type { CommandHandlers } from "./command-handler.ts";

/**
 * Asks for the filter of the list, wherever the focus is. From an open issue this leads to the list below it. A screen
 * without a filter of its own leads to the board.
 */
export const FILTER = {
  filter: {
    run: (state) => {
      const list = leaveForList(state);
      if (list.screen === "fleet") return FLEET["fleet-filter"].run(list);
      if (list.screen === "inbox") return INBOX["inbox-address"].run(list);
      return askFilter(list.screen === "board" ? list : toScreen(list, "board"));
    },
  },
} satisfies CommandHandlers;

function askFilter(state: State): Step {
  const { query } = state.board;
  const text = query === "" || query.endsWith(" ") ? query : `${query} `;
  const more = { text, before: query, choices: filterWords(state) };
  return step({ ...state, dialog: promptDialog("filter", "filter", more) });
}
