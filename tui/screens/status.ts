import { SEARCH_MAX_LIMIT } from "../../src/contract/limits.ts";
import type { Search, View } from "../../src/screen/board/state.ts";
import { isShown, ownViewShown, viewTabs } from "../../src/screen/board/views.ts";
import { NO_FILTER, parseQuery, partsOf, problemOf } from "../../src/screen/issues/query.ts";
import { relationsOf } from "../../src/screen/issues/relations.ts";
import { loadingNote } from "../../src/screen/loading/note.ts";
import { totalCounts } from "../../src/screen/scope/counts.ts";
import type { State } from "../../src/screen/state.ts";
import type { Paint, Role } from "../style.ts";
import { cells, clean, fit } from "../text.ts";
import { ends, plainRow } from "./rows.ts";

const VIEW_WORDS: Readonly<Record<View, string>> = {
  nested: "nested",
  flat: "flat",
  states: "by state",
  owners: "by owner",
  "by-state": "grouped by state",
  "by-owner": "grouped by owner",
  "by-priority": "grouped by priority",
  "by-project": "grouped by project",
};

/** Screens of at least this many columns also name the view if it is the default view (`nested`). */
const WIDE = 140;

export function statusLine(state: State, paint: Paint, width: number): string {
  const { board } = state;
  // Until all issues are loaded, the daemon's counts of open and closed issues are used.
  const counts: Readonly<Partial<Record<Counted, number>>> =
    totalCounts(state) ?? relationsOf(state).counts().statuses;
  const counted = (names: readonly Counted[]): string =>
    names
      .flatMap((name) => (counts[name] === undefined ? [] : `${name} ${counts[name]}`))
      .join("  ");
  const note = loadingNote(state);
  const rest = note === undefined ? "" : `  ${note}`;
  if (board.search !== undefined) return searchLine(board.search, paint, width);
  const view = board.view === "nested" && width < WIDE ? "" : `  ${VIEW_WORDS[board.view]}`;
  const order = `  sort:${board.order}${view}`;
  const own = ownViewShown(state);
  const name: readonly Chip[] =
    own === undefined ? [] : [{ text: clean(`${own.name}:`), role: "bold" }];
  const tabs = viewTabs(state).map((view) => {
    const text = clean(view.name);
    return isShown(state, view) ? `[${text}]` : ` ${text} `;
  });
  const chips = [...name, ...chipsOf(board.query)];
  // At any width, show the count of the status that the filter names.
  const { status } = parseQuery(board.query);
  const texts = COUNTED.map((names) =>
    counted(COUNTED[0].filter((name) => name === status || names.some((one) => one === name))),
  );
  return filterLine(paint, width, [...new Set(texts)], chips, rest, order, tabs.join(""));
}

/**
 * The statuses whose counts are shown. The first list that fits is used. `waiting` is left out first, because it
 * follows from the other counts.
 */
const COUNTED = [
  ["open", "ready", "blocked", "waiting", "closed"],
  ["open", "ready", "blocked", "closed"],
  ["open", "ready", "blocked"],
  ["open", "ready"],
  ["open"],
] as const;

/** Leaves out counts, then the tabs, and then the order, so that the filter fits. */
function filterLine(
  paint: Paint,
  width: number,
  counts: readonly string[],
  chips: readonly Chip[],
  rest: string,
  order: string,
  tabs: string,
): string {
  const plain = counts.map((text) => ` ${text}   / `);
  const befores = tabs === "" ? plain : [...plain.map((text) => ` ${tabs} ${text}`), ...plain];
  const afters = [`${rest}${order} `, `${rest} `];
  const pairs = afters.flatMap((after) => befores.map((before) => ({ before, after })));
  const size = cells(chips.map(({ text }) => text).join(" "));
  const { before = "", after = "" } =
    pairs.find((pair) => cells(pair.before) + size + cells(pair.after) <= width) ??
    pairs.at(-1) ??
    {};
  return chipsLine(paint, width, before, chips, after);
}

type Counted = (typeof COUNTED)[0][number];

function searchLine({ words, found, how }: Search, paint: Paint, width: number): string {
  if (found === undefined)
    return plainRow(paint, width, ` searching the daemon for ${words}...`, "bold");
  const count = found.length === SEARCH_MAX_LIMIT ? `the best ${found.length}` : `${found.length}`;
  return paint(
    "bold",
    ends(paint, width, clean(` found ${count} for ${words}   ${how}`), "esc back "),
  );
}

interface Chip {
  readonly text: string;
  readonly role: Role;
}

/** Returns the parts of the filter as they are drawn. An invalid part is followed by its problem. */
function chipsOf(query: string): readonly Chip[] {
  return partsOf(query).map((part) => {
    const problem = problemOf(part);
    const text = clean(problem === undefined ? part : `${part} (${problem})`);
    return { text, role: problem !== undefined ? "error" : part === NO_FILTER ? "dim" : "bold" };
  });
}

/** Draws the filter line with as many whole parts of the filter as fit, and the number of parts that are left out. */
function chipsLine(
  paint: Paint,
  width: number,
  before: string,
  chips: readonly Chip[],
  after: string,
): string {
  const room = width - cells(before) - cells(after);
  if (room < 8)
    return paint(
      "dim",
      ends(paint, width, before + chips.map(({ text }) => text).join(" "), after),
    );
  let used = 0;
  let painted = "";
  for (const [at, { text, role }] of chips.entries()) {
    const rest = chips.length - at;
    const more = rest > 1 ? cells(` +${rest - 1}`) : 0;
    const shown = at === 0 ? fit(text, Math.min(cells(text), room - more), paint.glyphs.cut) : text;
    const size = cells(shown) + (at === 0 ? 0 : 1);
    if (used + size + more > room) {
      painted += paint("bold", ` +${rest}`);
      used += cells(` +${rest}`);
      break;
    }
    painted += (at === 0 ? "" : " ") + paint(role, shown);
    used += size;
  }
  return paint("dim", before) + painted + " ".repeat(room - used) + paint("dim", after);
}
