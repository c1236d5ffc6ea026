import { HOME_SCREEN } from "./home-screen.ts";
import type { Issue } from "./issues/issues.ts";
import { recordOf, screenOf } from "./screen.ts";
import type { State } from "./state.ts";

/**
 * The issues that a command acts on: the marked issues, if there are any and the screen shows marks; else the issue in
 * view.
 */
export function chosenIssues(state: State): readonly Issue[] {
  if (actsOnMarks(state)) return [...state.marks].flatMap((uid) => state.issues.get(uid) ?? []);
  const uid = shownIssue(state);
  const issue = uid === undefined ? undefined : state.issues.get(uid);
  return issue === undefined ? [] : [issue];
}

/** Whether commands act on the marked issues: there are some, and the screen shows them. */
export function actsOnMarks(state: State): boolean {
  const { marks, detail } = state;
  return marks.size > 0 && detail.open.length === 0 && screenOf(state).hasMarks === true;
}

/** The uid of the open issue, else of the issue under the cursor. */
export function shownIssue(state: State): string | undefined {
  return state.detail.open.at(-1) ?? screenOf(state).issueUnderCursor(state);
}

/** The uid of the issue under the cursor of the board, whichever screen is shown. */
export function boardIssue(state: State): string | undefined {
  return recordOf(state, HOME_SCREEN).issueUnderCursor(state);
}
