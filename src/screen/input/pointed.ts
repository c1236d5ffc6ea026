import { instantToMs } from "../../base/clock.ts";
import { chosenIssues } from "../chosen.ts";
import { runCommand } from "../commands.ts";
import { editComment, restoreShown } from "../detail/acts.ts";
import { issueBeside, openIssue, scrollBy } from "../detail/detail.ts";
import { tickTask } from "../detail/tasks.ts";
import { copyPart } from "../forms/copy.ts";
import { focusField } from "../forms/form-keys.ts";
import { moveLines } from "../lines.ts";
import type { MessageOf, Target } from "../message.ts";
import { recordOf, screenOf } from "../screen.ts";
import { clamp } from "../scroll.ts";
import { type State, toScreen, withSlice } from "../state.ts";
import { andThen, type Step, step } from "../step.ts";
import { dismissNotice } from "../writes/dismiss-notice.ts";
import { onIssue } from "./on-issue.ts";

/** A second click on the same spot within this time opens the row, even if the list moved between the clicks. */
const DOUBLE_MS = 500;

/**
 * Handles a click. A click on a row selects the row. A click on the selected row, or a quick second click on the same
 * spot, opens the row.
 */
export function onChosen(state: State, { place, spot }: MessageOf<"chosen">): Step {
  const { now } = state;
  const { clicked } = state.window;
  const isSecond = clicked?.spot === spot && instantToMs(now) - instantToMs(clicked.at) < DOUBLE_MS;
  return clickedOn(withSlice(state, "window", { clicked: { spot, at: now } }), place, isSecond);
}

function clickedOn(state: State, place: Target | undefined, isSecond: boolean): Step {
  if (place === undefined) return step(state);
  const own = handlerOf(state, place);
  if (own !== undefined) return own(state, place, isSecond);
  const { detail } = state;
  switch (place.is) {
    case "screen":
      return place.screen === state.screen && detail.open.length === 0
        ? step(state)
        : runCommand(state, recordOf(state, place.screen).shownBy);
    case "command":
      return andThen(
        place.on === undefined
          ? runCommand(state, place.command)
          : onIssue(state, place.on, (there) => runCommand(there, place.command)),
        (now) => beginIn(now, place.field),
      );
    case "comment":
      return editComment(state, place.uid);
    case "restore":
      return restoreShown(state);
    case "notice":
      return step(dismissNotice(state));
    case "list":
    case "detail":
      return step(detail.open.length > 0 ? state : withSlice(state, "window", { focus: place.is }));
    case "issue":
      return openIssue(state, place.uid);
    case "copy":
      return copyPart(
        state,
        place.on === undefined ? chosenIssues(state).map(({ uid }) => uid) : [place.on],
        place.part,
      );
    case "section":
      return step(withSlice(state, "detail", { section: place.section, chosenRef: undefined }));
    case "task":
      return tickTask(state, place.line);
    case "row":
      return onRow(state, place.at, isSecond);
    default:
      // The other targets are parts of dialogs. No dialog is open.
      return step(state);
  }
}

type Click = (state: State, target: Target, isSecond: boolean) => Step;

/** The handler of a target that only one screen has; `undefined` for the targets that all screens share. */
function handlerOf({ screens }: State, { is }: Target): Click | undefined {
  const tables: readonly object[] = screens.map(({ targets = {} }) => targets);
  const found = tables.find((table) => is in table);
  // The cast is safe: in these tables, the function under the name of a target accepts that target.
  return (found as Readonly<Record<string, Click>> | undefined)?.[is];
}

/** A click on a row of a list closes an issue that is open beside the list. */
function onRow(state: State, at: number, isSecond: boolean): Step {
  const there = toScreen(state, state.screen);
  const { opensBy, rows } = screenOf(there);
  if (isSecond || at === rows.cursor(state)) return runCommand(there, opensBy);
  const to = clamp(at, rows.count(there));
  const moved = rows.clicked?.(there, to) ?? step(rows.withCursor(there, to));
  return andThen(moved, (now) => step(counted(now)));
}

/** Puts the focus of a form that was just opened into a field. A form that shows a fault keeps its focus there. */
function beginIn(state: State, name: string | undefined): Step {
  const { dialog } = state;
  if (name === undefined || dialog?.dialog !== "form" || dialog.error !== undefined)
    return step(state);
  return focusField(
    state,
    dialog,
    dialog.fields.findIndex((field) => field.name === name),
  );
}

/** Counts the issue beside the list as opened, because a click on its row opens it. */
function counted(state: State): State {
  const { opened } = state.detail;
  return issueBeside(state) === undefined
    ? state
    : withSlice(state, "detail", { opened: opened + 1 });
}

export function onScrolled(state: State, { place, by }: MessageOf<"scrolled">): Step {
  if (state.dialog !== undefined) return step(state);
  const here: State = withSlice(state, "window", { clicked: undefined });
  if (state.detail.open.length > 0) return step(scrollBy(here, by));
  return screenOf(here).scrolled?.(here, place, by) ?? moveLines(here, by);
}
