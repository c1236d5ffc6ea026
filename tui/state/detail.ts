import { chosen, shownIssue } from "./board.ts";
import { boardLayout } from "./lanes.ts";
import { type Detail, type DetailPart, SECTIONS, type State } from "./state.ts";
import { type Effect, type Step, step } from "./step.ts";

const MAX_DETAILS = 50;

const NOTHING: Omit<Detail, "uid"> = {
  show: undefined,
  error: undefined,
  events: undefined,
  eventsError: undefined,
  peers: undefined,
  peersError: undefined,
};

/** Whether the detail stands beside the list. */
export function isSplit(state: State): boolean {
  return state.screen === "board" && boardLayout(state).detail !== undefined;
}

/** The issue whose detail is drawn: the open one, or beside the list the one under the cursor. */
export function detailUid(state: State): string | undefined {
  return state.open.at(-1) ?? (isSplit(state) ? state.board.cursor : undefined);
}

export function openIssue(state: State, uid: string | undefined): Step {
  if (uid === undefined) return step(state);
  if (isSplit(state) && state.board.cursor === uid && state.open.length === 0)
    return step({ ...state, focus: "detail" });
  const open = [...state.open.filter((known) => known !== uid), uid];
  return step({ ...state, open, scroll: 0, section: "Comments", focus: "detail" });
}

/** `now`: not only when the cursor has rested for a moment. */
export function loadDetail(state: State, uid: string, now: boolean): Effect {
  const issue = state.issues.get(uid);
  const at =
    issue === undefined ? undefined : { project_id: issue.project_id, ref: issue.short_id };
  return { effect: "load-detail", uid, at, now };
}

/** The preview follows the cursor: what is known is drawn at once, and asked for when the cursor rests. */
export function followCursor(before: State, { state, effects }: Step): Step {
  const uid = detailUid(state);
  if (uid === undefined || uid === detailUid(before)) return { state, effects };
  const soon = state.open === before.open;
  return { state, effects: [...effects, loadDetail(state, uid, !soon)] };
}

export function withDetail(state: State, uid: string, part: DetailPart): State {
  const details = new Map(state.details);
  const known = details.get(uid) ?? { ...NOTHING, uid };
  details.delete(uid);
  details.set(uid, { ...known, ...part });
  for (const oldest of details.keys()) {
    if (details.size <= MAX_DETAILS) break;
    details.delete(oldest);
  }
  return { ...state, details };
}

export function nextSection(state: State, by: 1 | -1): State {
  const at = SECTIONS.indexOf(state.section);
  const section = SECTIONS[(at + by + SECTIONS.length) % SECTIONS.length] ?? "Comments";
  return { ...state, section };
}

/** One step back: out of an issue that was opened from another, out of the detail, off the marks, off the filter. */
export function back(state: State): Step {
  const { open, focus, board, notice } = state;
  if (notice?.tone === "error") return step({ ...state, notice: undefined });
  if (open.length > 0) {
    const left = open.slice(0, -1);
    const next: State = {
      ...state,
      open: left,
      scroll: 0,
      focus: left.length > 0 ? "detail" : "list",
    };
    return step(next);
  }
  if (focus !== "list") return step({ ...state, focus: "list" });
  if (state.screen !== "board") return step({ ...state, screen: "board" });
  if (board.marks.size > 0)
    return step({ ...state, board: { ...board, marks: new Set(), anchor: undefined } });
  return step(state);
}

/** What a key that needs an issue says where there is none. */
export function needsIssue(state: State): string | undefined {
  if (chosen(state).length > 0) return undefined;
  return shownIssue(state) === undefined ? "no issue is selected" : "this issue is not loaded here";
}
