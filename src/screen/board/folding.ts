import { type State, withSlice } from "../state.ts";
import { boardRows, cursorIndex, keepingCursor, moveTo } from "./board.ts";
import { foldName, type Group, groupAt, groupsOf, isGrouped } from "./groups.ts";

export function fold(state: State, uid: string, folded: boolean): State {
  return keepingCursor(state, (now) => {
    const set = new Set(now.board.folded);
    if (folded) set.add(uid);
    else set.delete(uid);
    return withSlice(now, "board", { folded: set });
  });
}

export function toggleFold(state: State, at: number): State {
  const row = boardRows(state)[at];
  if (row === undefined || row.fold === "leaf") return state;
  return fold(state, row.issue.uid, row.fold === "open");
}

function foldGroup(state: State, { name }: Group, folded: boolean): State {
  return keepingCursor(state, (now) => {
    const foldedGroups = new Set(now.board.foldedGroups);
    if (folded) foldedGroups.add(foldName(now.board.view, name));
    else foldedGroups.delete(foldName(now.board.view, name));
    return withSlice(now, "board", { foldedGroups });
  });
}

export function toggleGroup(state: State, name: string): State {
  const group = groupsOf(state).groups.find((known) => known.name === name);
  return group === undefined ? state : foldGroup(state, group, !group.isFolded);
}

/** Folds all groups. If a group is folded already, unfolds all groups instead. */
function foldAllGroups(state: State): State {
  const { groups } = groupsOf(state);
  const names = groups.map(({ name }) => foldName(state.board.view, name));
  const isOpen = groups.every(({ isFolded }) => !isFolded);
  return keepingCursor(state, (now) => {
    const others = [...now.board.foldedGroups].filter((name) => !names.includes(name));
    return withSlice(now, "board", {
      foldedGroups: new Set([...others, ...(isOpen ? names : [])]),
    });
  });
}

/** The folded group nearest to the cursor. If two folded groups are equally near, returns the upper one. */
function nearestFolded(state: State): Group | undefined {
  const { groups } = groupsOf(state);
  const here = groupAt(groupsOf(state), cursorIndex(state));
  const from = here === undefined ? 0 : groups.indexOf(here);
  const away = (group: Group): number => Math.abs(groups.indexOf(group) - from);
  return groups.filter(({ isFolded }) => isFolded).sort((a, b) => away(a) - away(b))[0];
}

/** Folds all parents. If a parent is folded already, unfolds all parents instead. */
export function foldAll(state: State): State {
  if (isGrouped(state)) return foldAllGroups(state);
  const parents = boardRows(state).filter((row) => row.fold !== "leaf");
  const isOpen = parents.every((row) => row.fold === "open");
  const next = isOpen ? parents.map(({ issue }) => issue.uid) : [];
  return keepingCursor(state, (now) => withSlice(now, "board", { folded: new Set(next) }));
}

/** Shows the children of the cursor's row; in a grouped view, the rows of the nearest folded group. */
export function unfold(state: State): State {
  if (isGrouped(state)) {
    const group = nearestFolded(state);
    return group === undefined ? state : foldGroup(state, group, false);
  }
  const row = boardRows(state)[cursorIndex(state)];
  return row?.fold === "folded" ? fold(state, row.issue.uid, false) : state;
}

export function foldOrLeave(state: State): State {
  if (isGrouped(state)) {
    const group = groupAt(groupsOf(state), cursorIndex(state));
    return group === undefined ? state : foldGroup(state, group, true);
  }
  const row = boardRows(state)[cursorIndex(state)];
  if (row === undefined) return state;
  if (row.fold === "open") return fold(state, row.issue.uid, true);
  const { parent } = row.issue;
  const index = boardRows(state).findIndex(({ issue }) => issue.uid === parent);
  return index === -1 ? state : moveTo(state, index);
}
