import { shownIssue } from "../chosen.ts";
import type { State } from "../state.ts";
import { boardRows } from "./board.ts";

/**
 * The ids to print for the shell when the screen is closed: the marked issues in the order of the board or, if no issue
 * is marked, the issue in view.
 */
export function selectionOf(state: State): readonly string[] {
  const { marks } = state;
  const name = (uid: string): string | readonly [] => state.issues.get(uid)?.qualified_id ?? [];
  if (marks.size === 0) {
    const uid = shownIssue(state);
    return uid === undefined ? [] : [uid].flatMap(name);
  }
  const shown = boardRows(state).flatMap(({ issue }) => (marks.has(issue.uid) ? [issue.uid] : []));
  return [...new Set([...shown, ...marks])].flatMap(name);
}
