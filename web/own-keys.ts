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

/** The key table of the page: that of the terminal without what only a terminal can do. */
export const PAGE_KEYS: readonly Key[] = KEYS.filter(({ command }) => !TERMINAL.has(command));
