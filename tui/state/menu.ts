import type { Key, KeyRow } from "../keys.ts";
import { scopesOf, whyNot } from "./commands.ts";
import type { State } from "./state.ts";

export interface MenuRow {
  readonly row: Key;
  readonly why: string | undefined;
}

/** What help and palette list for the words that were typed: what can be done now first. */
export function menuRows(state: State, text: string): readonly MenuRow[] {
  const scopes = scopesOf(state);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const place = ({ scope }: KeyRow): number => {
    const at = scopes.indexOf(scope);
    return at === -1 ? scopes.length : at;
  };
  const begins = ({ command }: KeyRow): number =>
    words.length > 0 && command.startsWith(words[0] ?? "") ? 1 : 0;
  return state.keys
    .filter((row) => {
      const all = `${row.command} ${row.label} ${row.keys.join(" ")}`.toLowerCase();
      return words.every((word) => all.includes(word));
    })
    .map((row) => ({
      row,
      why: place(row) < scopes.length ? whyNot(state, row.command) : "not on this screen",
    }))
    .sort((a, b) => begins(b.row) - begins(a.row) || place(a.row) - place(b.row));
}
