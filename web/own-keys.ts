import { allKeys, type Command, type Key } from "../src/screen/keys.ts";
import { SCREENS } from "../src/screen/screens.ts";

/**
 * Commands that the page does not have. Some make sense only in a terminal, such as leaving the program. For others,
 * the browser's tab key does the same.
 */
const TERMINAL: ReadonlySet<Command> = new Set([
  "quit",
  "quit-now",
  "suspend",
  "repaint",
  "own-command",
  "daemons",
  "next-section",
  "previous-section",
]);

/** On the page, the browser gets all terminal keys of these commands. So each of them has another key here. */
const INSTEAD: Readonly<Partial<Record<Command, string>>> = {
  "cron-next-tab": "]",
  "cron-previous-tab": "[",
  "raw-text": "alt+t",
};

/** Chords that are left to the browser: copying, pasting, new tabs and windows, reloading, and closing. */
const BROWSERS: ReadonlySet<string> = new Set(
  ["c", "v", "x", "a", "n", "t", "w", "r", "l", "z", "s", "o", "e"].map((key) => `ctrl+${key}`),
);

/** Whether a key of the key table is left to the browser. Tab moves the focus from element to element. */
export function isBrowserKey(key: string): boolean {
  return key === "tab" || key === "shift+tab" || BROWSERS.has(key);
}

/**
 * The key table of the page: that of the terminal, without the commands that only a terminal has and without the keys
 * that are left to the browser. The key that reloads the page stays, because it reads everything again too.
 */
export const PAGE_KEYS: readonly Key[] = allKeys(SCREENS)
  .filter(({ command }) => !TERMINAL.has(command))
  .map((row) => {
    const others =
      row.command === "reload" ? row.keys : row.keys.filter((key) => !isBrowserKey(key));
    const instead = INSTEAD[row.command];
    return { ...row, keys: instead === undefined ? others : [...others, instead] };
  });
