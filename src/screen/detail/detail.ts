import { isUlid } from "../../base/ulid.ts";
import { chosenIssues, shownIssue } from "../chosen.ts";
import type { Effect } from "../effect.ts";
import type { DocumentFit } from "../fit.ts";
import { HOME_SCREEN } from "../home-screen.ts";
import { keyFor } from "../keymap.ts";
import { cursorTo } from "../lines.ts";
import type { MessageOf } from "../message.ts";
import { screenOf } from "../screen.ts";
import { cycle } from "../scroll.ts";
import { type State, toScreen, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import { dismissNotice } from "../writes/dismiss-notice.ts";
import { dismissFailure, failureOf } from "../writes/failed.ts";
import { type Detail, type DetailPart, SECTIONS, TOP } from "./state.ts";

const MAX_DETAILS = 50;

const NOTHING: Omit<Detail, "uid"> = {
  show: undefined,
  error: undefined,
  events: undefined,
  eventsError: undefined,
  peers: undefined,
  peersError: undefined,
};

/** Whether the issue under the cursor is shown in a pane beside the list. */
export function isSplit(state: State): boolean {
  return screenOf(state).hasPanes === true && state.fit.board(state)?.detail === true;
}

/**
 * The uid of the issue whose detail is drawn: the open issue, else the issue under the cursor of a list with a detail
 * beside it.
 */
export function detailUid(state: State): string | undefined {
  return state.detail.open.at(-1) ?? screenOf(state).issueBeside?.(state);
}

/** The issue that is shown beside the list because the cursor is on its row. */
export function issueBeside(state: State): string | undefined {
  const hasRoom = state.detail.open.length === 0 && state.fit.board(state)?.detail === true;
  return hasRoom ? detailUid(state) : undefined;
}

const MAX_OPEN = 100;

/**
 * Opens an issue over the issue that is shown. When the opened issue is closed, the earlier issue is shown again at the
 * same place. If the opened issue is already shown beside the list, only the focus moves to it.
 */
export function openIssue(state: State, uid: string | undefined): Step {
  if (uid === undefined || state.detail.open.at(-1) === uid) return step(state);
  if (state.detail.open.length === 0 && isSplit(state) && shownIssue(state) === uid)
    return step({
      ...state,
      window: { ...state.window, focus: "detail" },
      detail: { ...state.detail, chosenRef: undefined, opened: state.detail.opened + 1 },
    });
  const { section, scroll, chosenRef } = state.detail;
  const opened = state.detail.opened + 1;
  const trail = [...state.detail.trail, { section, scroll, chosenRef }].slice(-MAX_OPEN);
  const open = [...state.detail.open, uid].slice(-MAX_OPEN);
  return step({
    ...state,
    detail: { ...state.detail, ...TOP, open, opened, trail },
    window: { ...state.window, focus: "detail" },
  });
}

/**
 * Reads the detail of an issue: immediately with `now`, else once the cursor has rested. If only a name of the issue is
 * known, asks for its uid first.
 */
export function loadDetail({ scope }: State, uid: string, now: boolean): Effect {
  return isUlid(uid)
    ? { effect: "load-detail", uid, now }
    : { effect: "find-issue", name: uid, project_id: scope.project?.id };
}

/** Replaces the name of an open issue by its uid, which the daemon has found. */
export function withNamed(state: State, { name, uid }: MessageOf<"named">): State {
  const open = state.detail.open.map((one) => (one === name ? uid : one));
  const { arriving } = state.detail;
  const isIt = arriving?.issue === name;
  return withSlice(state, "detail", {
    open,
    arriving: isIt ? { ...arriving, issue: uid } : arriving,
  });
}

/**
 * If the cursor has moved to another issue, shows the known data of that issue beside the list, scrolled to the top.
 * The rest of its data is read once the cursor has stayed there for a moment.
 */
export function followCursor(before: State, { state: next, effects }: Step): Step {
  const isBeside = next.detail.open.length === 0 && before.detail.open.length === 0;
  const isOther = isBeside && shownIssue(next) !== shownIssue(before);
  const state = isOther ? withSlice(next, "detail", { scroll: 0, chosenRef: undefined }) : next;
  const uid = detailUid(state);
  if (uid === undefined || uid === detailUid(before)) return { state, effects };
  const soon = state.detail.open === before.detail.open;
  return { state, effects: [...effects, loadDetail(state, uid, !soon)] };
}

export function withDetail(state: State, uid: string, part: DetailPart): State {
  const details = new Map(state.detail.known);
  const known = details.get(uid) ?? { ...NOTHING, uid };
  details.delete(uid);
  details.set(uid, { ...known, ...part });
  for (const oldest of details.keys()) {
    if (details.size <= MAX_DETAILS) break;
    details.delete(oldest);
  }
  return withSlice(state, "detail", { known: details });
}

export interface DocumentView {
  readonly document: DocumentFit;
  /** The first visible line of the issue's detail. It is never so far down that lines stay empty below the end. */
  readonly top: number;
}

export function viewOf(state: State): DocumentView | undefined {
  const uid = detailUid(state);
  const document = uid === undefined ? undefined : state.fit.document(state, uid);
  if (document === undefined) return undefined;
  const { lines, height, refs } = document;
  const top = Math.max(0, Math.min(state.detail.scroll, lines - height));
  // The linked issue that is chosen in the detail stays visible if the detail gets less room.
  const chosen = state.window.focus === "detail" ? refs[state.detail.chosenRef ?? -1] : undefined;
  return { document, top: Math.max(top, (chosen?.line ?? 0) - height + 1) };
}

export function scrollBy(state: State, by: number): State {
  const view = viewOf(state);
  return view === undefined ? state : scrollTo(state, view, view.top + by);
}

export function scrollTo(state: State, { document }: DocumentView, to: number): State {
  const { lines, height, refs } = document;
  const scroll = Math.max(0, Math.min(to, lines - height));
  const line = refs[state.detail.chosenRef ?? -1]?.line;
  const isSeen = line !== undefined && line >= scroll && line < scroll + height;
  return withSlice(state, "detail", {
    scroll,
    chosenRef: isSeen ? state.detail.chosenRef : undefined,
  });
}

/** Chooses the next or previous linked issue in the detail if it is visible, else scrolls by one line. */
export function moveInDetail(state: State, by: 1 | -1): State {
  const view = viewOf(state);
  if (view === undefined) return state;
  const { document, top } = view;
  const { height } = document;
  const seen = [...document.refs.entries()].filter(
    ([, { line }]) => line >= top && line < top + height,
  );
  const at = seen.findIndex(([ref]) => ref === state.detail.chosenRef);
  const next = by === 1 ? seen[at + 1] : at === -1 ? undefined : seen[at - 1];
  if (next !== undefined) return withSlice(state, "detail", { scroll: top, chosenRef: next[0] });
  const moved = scrollTo(state, view, top + by);
  return moved.detail.scroll === top && by === -1
    ? withSlice(moved, "detail", { chosenRef: undefined })
    : moved;
}

/** Goes to the next or previous section: scrolls it into view and chooses the first issue in it. */
export function nextSection(state: State, by: 1 | -1): State {
  const section = cycle(SECTIONS, state.detail.section, by);
  const next = withSlice(state, "detail", { section, chosenRef: undefined });
  const view = viewOf(next);
  if (view === undefined) return next;
  const { document, top } = view;
  const { height } = document;
  const wanted = Math.min(document.lines - document.tabs, Math.ceil(height / 2));
  const scroll = document.tabs + wanted > top + height ? document.tabs + wanted - height : top;
  const shown = scrollTo(next, view, Math.min(scroll, document.tabs));
  const first = document.refs.findIndex(({ line }) => line > document.tabs);
  const isSeen = (document.refs[first]?.line ?? 0) < shown.detail.scroll + height;
  return first === -1 || !isSeen ? shown : withSlice(shown, "detail", { chosenRef: first });
}

export function chosenIssue(state: State): string | undefined {
  return viewOf(state)?.document.refs[state.detail.chosenRef ?? -1]?.uid;
}

export function leaveIssue(state: State): State {
  const { trail } = state.detail;
  const open = state.detail.open.slice(0, -1);
  const focus = open.length === 0 ? "list" : "detail";
  return {
    ...state,
    detail: { ...state.detail, ...(trail.at(-1) ?? TOP), open, trail: trail.slice(0, -1) },
    window: { ...state.window, focus },
  };
}

/**
 * When the last open issue is left, moves the cursor of the list to that issue, if the list shows it. Without this, a
 * person who opened an issue by its address would not find it in the list.
 */
function cursorOn(state: State, [uid, ...more]: readonly string[]): State {
  return uid === undefined || more.length > 0 ? state : (cursorTo(state, uid) ?? state);
}

/** Leaves everything that is open over the list of the screen, and gives the list the focus. */
export function leaveForList(state: State): State {
  const { open } = state.detail;
  const there = open.length === 0 ? state : cursorOn(toScreen(state, state.screen), open);
  return there.window.focus === "list" ? there : withSlice(there, "window", { focus: "list" });
}

/**
 * Goes one step back. Does the first of these that is possible:
 *
 * - dismiss an error, or the failure of a refused write
 * - close the open issue
 * - move the focus to the list
 * - go back on the screen, such as from the graph of an issue to the graph before
 * - show the board
 */
export function back(state: State): Step {
  const { open } = state.detail;
  const { focus } = state.window;
  const { notice } = state.messages;
  if (notice?.tone === "error") return step(dismissNotice(state));
  const refused = failureOf(state, shownIssue(state));
  if (refused !== undefined) return step(dismissFailure(state, refused.id));
  if (open.length > 0) return step(cursorOn(leaveIssue(state), open));
  if (focus === "detail")
    return step(withSlice(withSlice(state, "detail", TOP), "window", { focus: "list" }));
  if (focus !== "list") return step(withSlice(state, "window", { focus: "list" }));
  return screenOf(state).back?.(state) ?? step(toScreen(state, HOME_SCREEN));
}

/** Why the key that goes back does nothing; `undefined` if it does something. */
export function noWayBack(state: State): string | undefined {
  const { open } = state.detail;
  const { focus } = state.window;
  const { notice } = state.messages;
  if (failureOf(state, shownIssue(state)) !== undefined) return undefined;
  if (open.length > 0 || focus !== "list" || notice?.tone === "error") return undefined;
  return screenOf(state).whyNoBack?.(state);
}

export function needsIssue(state: State): string | undefined {
  if (chosenIssues(state).length > 0) return undefined;
  const uid = shownIssue(state);
  return uid === undefined ? "no issue is selected" : whyAway(state, uid);
}

/** Why an issue that can be read is not on the board: it is deleted, or belongs to another project. */
function whyAway(state: State, uid: string): string {
  const { projects, project: shown } = state.scope;
  const issue = state.detail.known.get(uid)?.show?.issue;
  if (issue === undefined) return "this issue is not loaded here";
  const { qualified_id: name, project_id, deleted_at } = issue;
  if (deleted_at != null) {
    const restore = `${keyFor(state, "palette")}restore ${name}`;
    return `${name} is deleted: ${restore} brings it back`;
  }
  const project = projects.find(({ id }) => id === project_id);
  if (project === undefined || project_id === shown?.id) return "this issue is not loaded here";
  return `${name} is of another project: ${keyFor(state, "projects")} goes to ${project.name}`;
}
