import { promptDialog } from "../forms/dialog.ts";
import { keyFor } from "../keymap.ts";
import type { MessageOf } from "../message.ts";
import { hint, say } from "../messages/messages.ts";
import { type State, toScreen, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import { setQuery } from "./board.ts";
import { NO_FILTER, parseQuery, partWith } from "./query.ts";

export interface NamedQuery {
  readonly name: string;
  readonly query: string;
  /** Whether the person saved the view; the others are built in. */
  readonly isOwn: boolean;
}

/** The built-in views, then the person's own. */
export function viewsOf({ session: { actor }, board: { views } }: State): readonly NamedQuery[] {
  const always = [
    ["Ready", "status:ready"],
    ["Mine", `status:open ${partWith("owner", actor)}`],
    ["Open", "status:open"],
    ["Blocked", "status:blocked"],
    ["Waiting", "status:waiting"],
    ["Closed", "status:closed"],
  ] as const;
  return [
    ...always.map(([name, query]) => ({ name, query, isOwn: false })),
    ...views.map(({ name, query }) => ({ name, query, isOwn: true })),
  ];
}

/** Whether the filter means the same as the view's, however it was typed. */
export function isShown({ board }: State, { query }: NamedQuery): boolean {
  return JSON.stringify(parseQuery(board.query)) === JSON.stringify(parseQuery(query));
}

/**
 * The views that a key switches between: the open issues, then the person's own views. Empty if the person has none.
 */
export function viewTabs(state: State): readonly NamedQuery[] {
  const own = viewsOf(state).filter(({ isOwn }) => isOwn);
  return own.length === 0 ? [] : [{ name: "Open", query: NO_FILTER, isOwn: false }, ...own];
}

export function whyNoTabs(state: State): string | undefined {
  const save = keyFor(state, "save-view");
  return viewTabs(state).length === 0
    ? `no view is saved: ${save} saves the filter as one`
    : undefined;
}

/** Shows the next or previous tab. If the filter is not one of the tabs, shows the first or the last one. */
export function toTab(state: State, by: 1 | -1): State {
  const tabs = viewTabs(state);
  const at = tabs.findIndex((view) => isShown(state, view));
  const from = at === -1 && by === -1 ? 0 : at;
  const next = tabs[(from + by + tabs.length) % tabs.length];
  return next === undefined ? state : setQuery(state, next.query);
}

export function findView(state: State, name: string): NamedQuery | undefined {
  return viewsOf(state).find((view) => view.name.toLowerCase() === name.toLowerCase());
}

export function ownViewShown(state: State): NamedQuery | undefined {
  return viewsOf(state).find((view) => view.isOwn && isShown(state, view));
}

/** Offers the person's own views first. */
export function askView(state: State): State {
  const views = viewsOf(state).toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn));
  const choices = views.map(({ name, query }) => `${name}  ${query}`);
  return { ...state, dialog: { ...promptDialog("show-view", "view", { choices }), choose: 0 } };
}

/** Finds the view by its name, or by a part of the name that no other view has. */
export function showView(state: State, name: string): Step {
  const part = name.toLowerCase();
  const like = viewsOf(state).filter((view) => view.name.toLowerCase().includes(part));
  const view = findView(state, name) ?? (like.length === 1 ? like[0] : undefined);
  if (view === undefined) return hint(state, `no view is called ${name}`);
  return step(setQuery(toScreen(state, "board"), view.query));
}

export function askViewName(state: State): State {
  const own = ownViewShown(state);
  const choices = state.board.views.map(({ name }) => name);
  const more = { text: own?.name ?? "", choices };
  return { ...state, dialog: promptDialog("view", `save ${state.board.query} as`, more) };
}

export function saveView(state: State, name: string): Step {
  const known = findView(state, name);
  if (known?.isOwn === false) return say(state, `the view ${known.name} is always there`, "error");
  // A saved view keeps the spelling of its name.
  const query = state.board.query.trim() || NO_FILTER;
  return step(state, { effect: "save-view", name: known?.name ?? name, query });
}

export function removeView(state: State, name: string): Step {
  const view = findView(state, name);
  if (view === undefined) return hint(state, `no view is called ${name}`);
  if (!view.isOwn) return hint(state, `the view ${view.name} is always there`);
  return step(state, { effect: "save-view", name: view.name, query: undefined });
}

export function viewsCame(state: State, { views, name, isKept }: MessageOf<"views">): Step {
  const said = isKept
    ? `saved the view ${name}   ${keyFor(state, "show-view")} shows it again`
    : `removed the view ${name}`;
  return say(withSlice(state, "board", { views }), said);
}
