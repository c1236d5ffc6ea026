import { SEARCH_MAX_LIMIT } from "../../src/contract/limits.ts";
import { NO_FILTER, partsOf, problemOf } from "../state/query.ts";
import { relationsOf } from "../state/relations.ts";
import type { Search, State, View } from "../state/state.ts";
import type { Paint, Role } from "../style.ts";
import { cells, clean, fit } from "../text.ts";
import { ends, plainRow } from "./rows.ts";

const VIEW_WORDS: Readonly<Record<View, string>> = {
  nested: "",
  flat: " flat",
  states: " by state",
  owners: " by owner",
};

/** How many issues there are, what narrows them, and their order. */
export function statusLine(state: State, paint: Paint, width: number): string {
  const { statuses } = relationsOf(state).counts();
  const { board, loading, truncated } = state;
  const counts = (["open", "ready", "blocked", "closed"] as const)
    .map((name) => `${name} ${statuses[name]}`)
    .join("  ");
  const rest =
    loading === "rest"
      ? "  loading the rest..."
      : truncated
        ? "  first 20,000; refine the filter"
        : "";
  if (board.search !== undefined) return searchLine(board.search, paint, width);
  const order = `${board.order}${VIEW_WORDS[board.view]} `;
  return chipsLine(paint, width, ` ${counts}   / `, chipsOf(board.query), `${rest} ${order}`);
}

/** What is looked for, and how the daemon says that it looked. */
function searchLine({ words, found, how }: Search, paint: Paint, width: number): string {
  if (found === undefined)
    return plainRow(paint, width, ` searching the daemon for ${words}...`, "bold");
  const count = found.length === SEARCH_MAX_LIMIT ? `the best ${found.length}` : `${found.length}`;
  return paint("bold", ends(width, clean(` found ${count} for ${words}   ${how}`), "esc back "));
}

interface Chip {
  readonly text: string;
  readonly role: Role;
}

/** The parts of the filter, what narrows apart from what is always there; what is not understood says so. */
function chipsOf(query: string): readonly Chip[] {
  return partsOf(query).map((part) => {
    const problem = problemOf(part);
    if (problem !== undefined) return { text: `${part} (${problem})`, role: "error" };
    return { text: part, role: part === NO_FILTER ? "dim" : "bold" };
  });
}

/** As many whole chips as there is room for between the two ends, and how many more there are. */
function chipsLine(
  paint: Paint,
  width: number,
  before: string,
  chips: readonly Chip[],
  after: string,
): string {
  const room = width - cells(before) - cells(after);
  if (room < 8)
    return paint("dim", ends(width, before + chips.map(({ text }) => text).join(" "), after));
  let used = 0;
  let painted = "";
  for (const [at, { text, role }] of chips.entries()) {
    const rest = chips.length - at;
    const more = rest > 1 ? cells(` +${rest - 1}`) : 0;
    const shown =
      at === 0 ? fit(clean(text), Math.min(cells(clean(text)), room - more)) : clean(text);
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
