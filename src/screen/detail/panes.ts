import { screenOf } from "../screen.ts";
import { cycle } from "../scroll.ts";
import { type State, withSlice } from "../state.ts";
import type { Focus } from "../window/state.ts";
import { isSplit } from "./detail.ts";
import { SECTIONS } from "./state.ts";

/** The panes side by side, from left to right. */
export function panesOf(state: State): readonly Focus[] {
  const browse = isBrowsed(state) ? (["browse"] as const) : [];
  return [...browse, "list", ...(isSplit(state) ? (["detail"] as const) : [])];
}

/** The pane with the focus; a pane that no longer fits cannot have it. */
export function paneOf(state: State): Focus {
  return panesOf(state).includes(state.window.focus) ? state.window.focus : "list";
}

function isBrowsed(state: State): boolean {
  const hasPanes = screenOf(state).hasPanes === true && state.detail.open.length === 0;
  return hasPanes && state.fit.board(state)?.browse === true;
}

/**
 * Whether the key for the next or previous section leaves the issue for another pane: after the last section, or before
 * the first.
 */
export function leavesIssue(state: State, by: 1 | -1): boolean {
  const isPane = state.detail.open.length === 0 && panesOf(state).length > 1;
  return isPane && state.detail.section === SECTIONS.at(by === 1 ? -1 : 0);
}

export function toPane(state: State, by: 1 | -1): State {
  return withSlice(state, "window", { focus: cycle(panesOf(state), paneOf(state), by) });
}
