import type { CommandHandlers } from "../command.ts";
import { leaveForList } from "../detail/detail.ts";
import { HOME_SCREEN } from "../home-screen.ts";
import { recordOf, screenOf } from "../screen.ts";
import { toScreen } from "../state.ts";
import { step } from "../step.ts";

/**
 * Opens the prompt for the filter of the list, whichever pane has the focus. If an issue is open, first goes back to
 * the list below it. On a screen without a filter of its own, first goes to the board.
 */
export const FILTER_COMMANDS = {
  filter: {
    run: (state) => {
      const list = leaveForList(state);
      const own = screenOf(list).filter;
      if (own !== undefined) return own(list);
      const home = toScreen(list, HOME_SCREEN);
      return recordOf(home, HOME_SCREEN).filter?.(home) ?? step(home);
    },
  },
} satisfies CommandHandlers;
