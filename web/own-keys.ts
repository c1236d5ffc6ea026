import { type Command, KEYS, type Key } from "../src/screen/keys.ts";

/** Commands that only the terminal has, such as leaving the program or starting another one. */
const TERMINAL: ReadonlySet<Command> = new Set([
  "quit",
  "quit-now",
  "suspend",
  "repaint",
  "own-command",
  "daemons",
]);

/** On a page, tab moves the focus. These commands, which have tab or shift+tab on the terminal, get other keys. */
const INSTEAD_OF_TAB: Readonly<Partial<Record<Command, string>>> = {
  "cron-next-tab": "]",
  "cron-previous-tab": "[",
};

/** The key table of the terminal, without the commands that only a terminal has and without tab. */
export const PAGE_KEYS: readonly Key[] = KEYS.filter(({ command }) => !TERMINAL.has(command)).map(
  (row) => {
    const others = row.keys.filter((key) => key !== "tab" && key !== "shift+tab");
    const instead = INSTEAD_OF_TAB[row.command];
    return { ...row, keys: instead === undefined ? others : [...others, instead] };
  },
);
