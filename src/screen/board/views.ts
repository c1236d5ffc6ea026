import { DATED_VIEWS } from "../../domain/planning-days.ts";
import { promptDialog } from "../forms/dialog.ts";
import { NO_FILTER, parseQuery, partWith } from "../issues/query.ts";
import { keyFor } from "../keymap.ts";
import type { MessageOf } from "../message.ts";
import { hint, say } from "../messages/messages.ts";
import { chooseProject } from "../scope/choose-project.ts";
import { inboxProject } from "../scope/counts.ts";
import { type State, toScreen, withSlice } from "../state.ts";
import { andThen, type Step, step } from "../step.ts";
import { setQuery } from "./board.ts";

export interface NamedQuery {
  readonly name: string;
  readonly query: string;
  /** True if the person saved the view, false if it is built in. */
  readonly isOwn: boolean;
  /** Another name of a built-in view. */
  readonly also?: string;
}

/**
 * The built-in views, then those that the person saved. A saved view replaces a built-in one of the same name.
 * The built-in view Capture shows the inbox project, which is for issues that belong to no other project. Without an
 * inbox project, Capture is left out.
 */
export function viewsOf({
  session: { actor },
  board: { views },
  scope,
}: Pick<State, "session" | "board" | "scope">): readonly NamedQuery[] {
  const inbox = inboxProject(scope);
  const always = [
    builtIn("Ready", "status:ready"),
    builtIn("Mine", `status:open ${partWith("owner", actor)}`),
    ...DATED_VIEWS.map((date) => builtIn(DATED_NAMES[date], `status:open date:${date}`)),
    ...(inbox === undefined
      ? []
      : [builtIn(CAPTURE, `status:open ${partWith("project", inbox.name)}`)]),
    builtIn("All open", "status:open", "Open"),
    builtIn("Blocked", "status:blocked"),
    builtIn("Waiting", "status:waiting"),
    builtIn("Logbook", "status:closed", "Closed"),
  ];
  const own = views.map(({ name, query }) => ({ name, query, isOwn: true }));
  const isOwn = (view: NamedQuery): boolean => own.some(({ name }) => isCalled(view, name));
  return [...always.filter((view) => !isOwn(view)), ...own];
}

const DATED_NAMES = { today: "Today", upcoming: "Upcoming", deadlines: "Deadlines" } as const;
export const CAPTURE = "Capture";

function builtIn(name: string, query: string, also?: string): NamedQuery {
  return { name, query, isOwn: false, ...(also === undefined ? {} : { also }) };
}

function isCalled({ name, also }: NamedQuery, wanted: string): boolean {
  const text = wanted.toLowerCase();
  return name.toLowerCase() === text || also?.toLowerCase() === text;
}

/** Whether the board's filter has the same meaning as the view's filter, even if it is typed differently. */
export function isShown({ board }: State, { query }: NamedQuery): boolean {
  return JSON.stringify(parseQuery(board.query)) === JSON.stringify(parseQuery(query));
}

/**
 * Whether the board shows one of the views. No view counts as shown while a dialog is open, because the person may be
 * typing a filter in it.
 */
export function isViewShown(state: State): boolean {
  return state.dialog === undefined && viewsOf(state).some((view) => isShown(state, view));
}

/**
 * The views that a key switches between: the open issues, then the person's own views. Empty if the person has no own
 * views.
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

/**
 * Shows the next or previous tab. If the filter is not one of the tabs, shows the first tab, or the last tab when going
 * back.
 */
export function toTab(state: State, by: 1 | -1): State {
  const tabs = viewTabs(state);
  const at = tabs.findIndex((view) => isShown(state, view));
  const from = at === -1 && by === -1 ? 0 : at;
  const next = tabs[(from + by + tabs.length) % tabs.length];
  return next === undefined ? state : setQuery(state, next.query);
}

export function findView(state: State, name: string): NamedQuery | undefined {
  return viewsOf(state).find((view) => isCalled(view, name));
}

export function ownViewShown(state: State): NamedQuery | undefined {
  return viewsOf(state).find((view) => view.isOwn && isShown(state, view));
}

export function askView(state: State): State {
  const views = viewsOf(state).toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn));
  const choices = views.map(({ name, query }) => `${name}  ${query}`);
  return { ...state, dialog: { ...promptDialog("show-view", "view", { choices }), choose: 0 } };
}

/** Shows the view with this name or, if there is none, the only view whose name contains the text. */
export function showView(state: State, name: string): Step {
  const part = name.toLowerCase();
  const like = viewsOf(state).filter((view) => view.name.toLowerCase().includes(part));
  const view = findView(state, name) ?? (like.length === 1 ? like[0] : undefined);
  if (view !== undefined) return applyView(toScreen(state, "board"), view);
  return hint(state, isCapture({ name }) ? NO_INBOX : `no view is called ${name}`);
}

const NO_INBOX =
  "no project is for what belongs nowhere else: svc projects meta <project> --set role=inbox";

function isCapture({ name }: Pick<NamedQuery, "name">): boolean {
  return name.toLowerCase() === CAPTURE.toLowerCase();
}

/**
 * Shows a view on the board. The filter of the built-in view Capture finds issues of the inbox project by its name. If
 * the board shows another project, the board changes to all projects, because the filter would find nothing there.
 */
export function applyView(state: State, view: NamedQuery): Step {
  const shown = step(setQuery(state, view.query));
  const here = state.scope.project?.id;
  const isElsewhere = here !== undefined && here !== inboxProject(state.scope)?.id;
  if (view.isOwn || !isCapture(view) || !isElsewhere) return shown;
  return andThen(shown, (now) => chooseProject(now, undefined));
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
  // If the view exists already, its name keeps the former spelling.
  const query = state.board.query.trim() || NO_FILTER;
  return step(state, { effect: "save-view", name: known?.name ?? name, query });
}

export function removeView(state: State, name: string): Step {
  const view = findView(state, name);
  if (view === undefined) return hint(state, `no view is called ${name}`);
  if (!view.isOwn) return hint(state, `the view ${view.name} is always there`);
  return step(state, { effect: "save-view", name: view.name, query: undefined });
}

export function onViews(state: State, { views, name, isKept }: MessageOf<"views">): Step {
  const message = isKept
    ? `saved the view ${name}   ${keyFor(state, "show-view")} shows it again`
    : `removed the view ${name}`;
  return say(withSlice(state, "board", { views }), message);
}
