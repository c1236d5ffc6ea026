import { runCommand } from "../commands.ts";
import { scrollBy } from "../detail/detail.ts";
import type { Target } from "../message.ts";
import { type State, withSlice } from "../state.ts";
import { andThen, type Step, step } from "../step.ts";
import { moveBy, setQuery, toOrder, toView } from "./board.ts";
import { browseRow, moveInBrowse } from "./browse.ts";
import { onDropped } from "./carry.ts";
import { toggleFold, toggleGroup } from "./folding.ts";
import { markRow, withoutMarks } from "./marks.ts";

/** Handles a click on a part that only the board has. */
export function onBoard(state: State, place: Target, isSecond: boolean): Step | undefined {
  switch (place.is) {
    case "mark":
      return step(markRow(state, place.at, place.range));
    case "no-marks":
      return step(withoutMarks(state));
    case "lane":
      return onDropped(state, place);
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
    case "browse":
      return onBrowse(state, place, isSecond);
    default:
      return undefined;
  }
}

type Browse = Extract<Target, { readonly is: "browse" }>;

function onBrowse(state: State, { key, applies }: Browse, isSecond: boolean): Step {
  if (key === undefined) return step(withSlice(state, "window", { focus: "browse" }));
  const isChosen = state.window.focus === "browse" && browseRow(state)?.key === key;
  const next: State = {
    ...state,
    window: { ...state.window, focus: "browse" },
    board: { ...state.board, browse: key },
  };
  if (applies === true)
    return andThen(runCommand(next, "browse-apply"), (now) =>
      step(withSlice(now, "window", { focus: "list" })),
    );
  return isChosen || isSecond ? runCommand(next, "browse-apply") : step(next);
}

/**
 * Handles the scroll wheel. Over the pane of views it moves the cursor of that pane, and over a list the cursor of the
 * list, whichever pane has the focus.
 */
export function onBoardScrolled(state: State, place: Target | undefined, by: number): Step {
  if (place?.is === "detail") return step(scrollBy(state, by));
  if (place?.is === "browse")
    return step(moveInBrowse(withSlice(state, "window", { focus: "browse" }), by));
  return step(moveBy(state, by));
}
