import type { CommandHandler, CommandHandlers } from "../command.ts";
import { emptyOf } from "../empty.ts";
import { LOADING } from "../empty-text.ts";
import { moveLines } from "../lines.ts";
import { screenOf } from "../screen.ts";
import type { State } from "../state.ts";

const END = Number.MAX_SAFE_INTEGER;

const moving = (by: (state: State) => number): CommandHandler => ({
  run: (state) => moveLines(state, by(state)),
  why: whyNoRows,
});

export const LINE_COMMANDS = {
  "next-line": moving(() => 1),
  "previous-line": moving(() => -1),
  "next-page": moving((state) => state.fit.page(state)),
  "previous-page": moving((state) => -state.fit.page(state)),
  "first-line": moving(() => -END),
  "last-line": moving(() => END),
} satisfies CommandHandlers;

function whyNoRows(state: State): string | undefined {
  const isList = screenOf(state).rows.isInUse?.(state) ?? true;
  const isEmpty = isList && ![undefined, LOADING].includes(emptyOf(state));
  return isEmpty ? "there is nothing to move to" : undefined;
}
