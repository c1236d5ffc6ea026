import { type State, withSlice } from "../state.ts";
import { boardRows, cursorIndex, keepingCursor, moveTo } from "./board.ts";

export function fold(state: State, uid: string, folded: boolean): State {
  return keepingCursor(state, (now) => {
    const set = new Set(now.board.folded);
    if (folded) set.add(uid);
    else set.delete(uid);
    return withSlice(now, "board", { folded: set });
  });
}

/** Shows the children of a row, or hides them. */
export function toggleFold(state: State, at: number): State {
  const row = boardRows(state)[at];
  if (row === undefined || row.fold === "leaf") return state;
  return fold(state, row.issue.uid, row.fold === "open");
}

/** Folds all parents, or unfolds all if one is folded. */
export function foldAll(state: State): State {
  const parents = boardRows(state).filter((row) => row.fold !== "leaf");
  const isOpen = parents.every((row) => row.fold === "open");
  const next = isOpen ? parents.map(({ issue }) => issue.uid) : [];
  return keepingCursor(state, (now) => withSlice(now, "board", { folded: new Set(next) }));
}

/** Folds the row, or goes to its parent if there is nothing to fold. */
export function foldOrLeave(state: State): State {
  const row = boardRows(state)[cursorIndex(state)];
  if (row === undefined) return state;
  if (row.fold === "open") return fold(state, row.issue.uid, true);
  const { parent } = row.issue;
  const index = boardRows(state).findIndex(({ issue }) => issue.uid === parent);
  return index === -1 ? state : moveTo(state, index);
}
