import { type Command, KEYS, type Key } from "../src/screen/keys.ts";

/** Commands that only a terminal has: leaving it, its own programs, and the daemons of its settings. */
const TERMINAL: ReadonlySet<Command> = new Set([
  "quit",
  "quit-now",
  "suspend",
  "repaint",
  "own-command",
  "daemons",
]);

/** Tab goes through all that is on a page, so the commands that have it on the terminal have these keys, or none. */
const INSTEAD_OF_TAB: Readonly<Partial<Record<Command, string>>> = {
  "cron-next-tab": "]",
  "cron-previous-tab": "[",
};

/** The key table of the page: that of the terminal without what only a terminal can do, and without tab. */
export const PAGE_KEYS: readonly Key[] = KEYS.filter(({ command }) => !TERMINAL.has(command)).map(
  (row) => {
    const others = row.keys.filter((key) => key !== "tab" && key !== "shift+tab");
    const instead = INSTEAD_OF_TAB[row.command];
    return { ...row, keys: instead === undefined ? others : [...others, instead] };
  },
);
