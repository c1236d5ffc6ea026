import { countOf, keyBindingOf, scopesOf, whyNot } from "../../src/screen/commands.ts";
import { leavesIssue } from "../../src/screen/detail/panes.ts";
import type { Command, Key } from "../../src/screen/keys.ts";
import type { State } from "../../src/screen/state.ts";
import type { Paint } from "../style.ts";
import { cells } from "../text.ts";
import { plainRow } from "./rows.ts";

/**
 * The order in which keys get room in the footer: first the keys to move, open, go back and get help, then the main
 * commands of a screen, then frequent commands.
 */
const FIRST: readonly (readonly Command[])[] = [
  [
    "down",
    "next-line",
    "scroll-down",
    "open",
    "browse-apply",
    "graph-open",
    "inbox-open",
    "cron-open",
    "project-choose",
    "fleet-open",
    "back",
    "help",
  ],
  [
    "lane-left",
    "next-section",
    "cron-next-tab",
    "cron-toggle",
    "inbox-clear",
    "inbox-answer",
    "inbox-mark",
    "inbox-all",
    "graph-fold",
    "graph-root",
    "graph-more",
    "graph-done",
    "fleet-message",
    "fleet-release",
    "fleet-steal",
  ],
  ["filter", "mark", "new", "close", "reopen", "comment", "palette"],
  ["edit", "add-blocker", "inbox-address"],
  ["add-label", "assign", "next-pane"],
];

/** The line with the keys that can be used now, as many as fit. */
export function keyLine(state: State, paint: Paint, width: number): string {
  const scopes = scopesOf(state);
  const rows = scopes.flatMap((scope) =>
    state.preferences.keys.filter((row) => row.scope === scope && isUseful(state, row)),
  );
  const rank = ({ command }: Key): number => {
    // While reading an issue, changing it is more likely than creating another.
    if (scopes[0] === "detail" && command === "new") return LAST;
    const at = FIRST.findIndex((some) => some.includes(command));
    return at === -1 ? FIRST.length : at;
  };
  const shown = new Set<Key>();
  let room = width - 1;
  for (const row of rows.toSorted((a, b) => rank(a) - rank(b))) {
    const size = cells(wordHere(state, row)) + (shown.size === 0 ? 0 : GAP.length);
    if (size > room) continue;
    shown.add(row);
    room -= size;
  }
  const words = rows
    .filter((row) => shown.has(row))
    .toSorted((a, b) => leadOf(a) - leadOf(b))
    .map((row) => wordHere(state, row));
  return plainRow(paint, width, ` ${words.join(GAP)}`, "dim");
}

/**
 * The text of a key in the footer. While issues are marked, the text of a key that acts on them ends with the number of
 * these issues. In the last section of an issue, the key for the next section leads to the next pane, and its text says
 * so.
 */
function wordHere(state: State, { command, keys, word = "" }: Key): string {
  if (command === "next-section" && leavesIssue(state, 1)) return `${keys[0]} next pane`;
  const count = countOf(state, command);
  return count === undefined ? word : `${word} ${count}`;
}

/**
 * Returns a number that orders the keys in the footer from left to right. In an open issue, going back comes first.
 * Then come moving and opening, then all other keys.
 */
function leadOf({ scope, command }: Key): number {
  if (scope === "everywhere") return LAST;
  if (command === "back") return -1;
  const at = FIRST[0]?.indexOf(command) ?? -1;
  return at === -1 ? LAST : at;
}

const LAST = 99;

const GAP = "  ";

/**
 * Whether the footer may show a key: it has a text for the footer, it works in this scope, and its command is enabled.
 */
function isUseful(state: State, row: Key): boolean {
  const [key] = row.keys;
  if (row.word === undefined || key === undefined) return false;
  return keyBindingOf(state, key) === row && whyNot(state, row.command) === undefined;
}
