import { instantToMs } from "../../base/clock.ts";
import {
  chosen as chosenIssues,
  moveBy,
  moveTo,
  setQuery,
  toOrder,
  toView,
} from "../board/board.ts";
import { browseRow, moveInBrowse } from "../board/browse.ts";
import { onDropped } from "../board/carry.ts";
import { toggleFold, toggleGroup } from "../board/folding.ts";
import { markRow } from "../board/marks.ts";
import { runCommand } from "../commands.ts";
import { showTab } from "../cron/cron.ts";
import { editComment, restoreShown } from "../detail/acts.ts";
import { issueBeside, openIssue, scrollBy } from "../detail/detail.ts";
import { tickTask } from "../detail/tasks.ts";
import { copyPart } from "../forms/copy.ts";
import { focusField } from "../forms/form-keys.ts";
import type { Command } from "../keys.ts";
import { cursorOf, moveLines } from "../lines.ts";
import type { MessageOf, Target } from "../message.ts";
import { SCREEN_COMMANDS } from "../place/go.ts";
import { type Screen, type State, toScreen, withSlice } from "../state.ts";
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
  switch (place.is) {
    case "screen":
      return place.screen === state.screen && state.detail.open.length === 0
        ? step(state)
        : runCommand(state, SCREEN_COMMANDS[place.screen]);
    case "tab":
      return place.tab === state.cron.tab ? step(state) : showTab(state, place.tab);
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
    case "field":
    case "option":
    case "button":
      return step(state);
    case "list":
      return step(
        state.detail.open.length > 0 ? state : withSlice(state, "window", { focus: "list" }),
      );
    case "issue":
      return openIssue(state, place.uid);
    case "mark":
      return step(markRow(state, place.at, place.range));
    case "no-marks":
      return step(withSlice(state, "board", { marks: new Set(), anchor: undefined }));
    case "lane":
      return onDropped(state, place);
    case "copy":
      return copyPart(
        state,
        place.on === undefined ? chosenIssues(state).map(({ uid }) => uid) : [place.on],
        place.part,
      );
    case "fold":
      return step(toggleFold(state, place.at));
    case "group":
      return step(toggleGroup(state, place.name));
    case "query":
      return step(setQuery(state, place.query));
    case "view":
      return step(toView(state, place.view));
    case "order":
      return step(toOrder(state, place.order));
    case "section":
      return step(withSlice(state, "detail", { section: place.section, chosenRef: undefined }));
    case "task":
      return tickTask(state, place.line);
    case "detail":
      return step(
        state.detail.open.length > 0 ? state : withSlice(state, "window", { focus: "detail" }),
      );
    case "browse": {
      if (place.key === undefined) return step(withSlice(state, "window", { focus: "browse" }));
      const isChosen = state.window.focus === "browse" && browseRow(state)?.key === place.key;
      const next: State = {
        ...state,
        window: { ...state.window, focus: "browse" },
        board: { ...state.board, browse: place.key },
      };
      if (place.applies === true)
        return andThen(runCommand(next, "browse-apply"), (now) =>
          step(withSlice(now, "window", { focus: "list" })),
        );
      return isChosen || isSecond ? runCommand(next, "browse-apply") : step(next);
    }
    case "row": {
      // A click on a row of a list closes an issue that is open beside the list.
      const there = toScreen(state, state.screen);
      if (isSecond || place.at === cursorOf(state)) return runCommand(there, OPENING[there.screen]);
      return andThen(movedTo(there, place.at), (now) => step(counted(now)));
    }
  }
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

/** A click on a row beside which its issue is shown opens this issue. */
function counted(state: State): State {
  const { opened } = state.detail;
  return issueBeside(state) === undefined
    ? state
    : withSlice(state, "detail", { opened: opened + 1 });
}

const OPENING: Readonly<Record<Screen, Command>> = {
  board: "open",
  inbox: "inbox-open",
  graph: "graph-open",
  cron: "cron-open",
  projects: "project-choose",
  fleet: "fleet-open",
};

function movedTo(state: State, at: number): Step {
  return state.screen === "board"
    ? step(moveTo(state, at))
    : moveLines(state, at - cursorOf(state));
}

export function onScrolled(state: State, { place, by }: MessageOf<"scrolled">): Step {
  if (state.dialog !== undefined) return step(state);
  const here: State = withSlice(state, "window", { clicked: undefined });
  if (state.detail.open.length > 0) return step(scrollBy(here, by));
  if (state.screen !== "board") return moveLines(here, by);
  if (place?.is === "detail") return step(scrollBy(here, by));
  if (place?.is === "browse") {
    return step(moveInBrowse(withSlice(here, "window", { focus: "browse" }), by));
  }
  return step(moveBy(here, by));
}
