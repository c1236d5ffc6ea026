import { SEARCH_MAX_LIMIT } from "../../src/contract/limits.ts";
import { NO_FILTER, parseQuery, partsOf, problemOf } from "../../src/screen/board/query.ts";
import { relationsOf } from "../../src/screen/board/relations.ts";
import type { Search, View } from "../../src/screen/board/state.ts";
import { isShown, ownViewShown, viewTabs } from "../../src/screen/board/views.ts";
import { totalCounts } from "../../src/screen/projects/projects.ts";
import type { State } from "../../src/screen/state.ts";
import type { Paint, Role } from "../style.ts";
import { cells, clean, fit } from "../text.ts";
import { ends, plainRow } from "./rows.ts";

const VIEW_WORDS: Readonly<Record<View, string>> = {
  nested: "nested",
  flat: "flat",
  states: "by state",
  owners: "by owner",
};

/** Screens of at least this many columns also name the view if it is the default one (`nested`). */
const WIDE = 140;

export function statusLine(state: State, paint: Paint, width: number): string {
  const { board } = state;
  const { stage: loading, truncated } = state.loading;
  // Until all issues are loaded, the daemon's counts of open and closed ones are used.
  const counts: Readonly<Partial<Record<Counted, number>>> =
    totalCounts(state) ?? relationsOf(state).counts().statuses;
  const counted = (names: readonly Counted[]): string =>
    names
      .flatMap((name) => (counts[name] === undefined ? [] : `${name} ${counts[name]}`))
      .join("  ");
  const rest =
    loading === "rest"
      ? "  loading the rest..."
      : truncated
        ? "  first 20,000; refine the filter"
        : "";
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
  // The count of the state that the filter names is shown at any width.
  const { status } = parseQuery(board.query);
  const texts = COUNTED.map((names) =>
    counted(COUNTED[0].filter((name) => name === status || names.some((one) => one === name))),
  );
  return filterLine(paint, width, [...new Set(texts)], chips, rest, order, tabs.join(""));
}

/**
 * The states whose counts are shown: the first of these lists that fits. `waiting` is left out first, since it follows
 * from the other counts.
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
  // The tabs of views come before the counts. If room is short, some counts are left out; if that is not enough, the
  // tabs are.
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

/** The status line of a search: how many issues were found, the words, and how the daemon searched. */
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

/** The parts of the filter as they are shown. Behind an invalid part stands its problem. */
function chipsOf(query: string): readonly Chip[] {
  return partsOf(query).map((part) => {
    const problem = problemOf(part);
    const text = clean(problem === undefined ? part : `${part} (${problem})`);
    return { text, role: problem !== undefined ? "error" : part === NO_FILTER ? "dim" : "bold" };
  });
}

/** The filter line. It shows as many whole parts of the filter as fit, and how many are left out. */
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
