import { runCommand } from "../commands.ts";
import { scrollBy } from "../detail/detail.ts";
import type { Sort } from "../issues/sort.ts";
import type { Target, TargetOf } from "../message.ts";
import type { TargetHandlers } from "../screen.ts";
import { type State, withSlice } from "../state.ts";
import { andThen, type Step, step } from "../step.ts";
import { moveBy, setQuery, toOrder, toView } from "./board.ts";
import { browseRow, moveInBrowse } from "./browse.ts";
import { onDropped } from "./carry.ts";
import { toggleFold, toggleGroup } from "./folding.ts";
import { markRow, withoutMarks } from "./marks.ts";
import type { View } from "./state.ts";

declare module "../message.ts" {
  interface ScreenTargets {
    readonly board: {
      /**
       * A line of the browse pane. The first click selects the line. The second click shows its view or project, or
       * adds its label or owner to the filter or removes it from there. With `applies`, the first click already does
       * what the second click does.
       */
      readonly browse: { readonly key: string | undefined; readonly applies?: true };
      /**
       * The spot of a row on which a click marks the row. With `range`, all rows from the last mark to this one are
       * marked.
       */
      readonly mark: { readonly at: number; readonly range: boolean };
      /** The button that takes all marks off. */
      readonly "no-marks": unknown;
      /** The card `uid` was dropped on the lane with this name. If the card is marked, all marked issues go with it. */
      readonly lane: { readonly uid: string; readonly lane: string };
      /** The sign that shows or hides the children of a row. */
      readonly fold: { readonly at: number };
      /** The heading of a group, which shows or hides the group's rows. */
      readonly group: { readonly name: string };
      /** A label, a count or another text. A click on it sets the filter to `query`. */
      readonly query: { readonly query: string };
      readonly view: { readonly view: View };
      readonly order: { readonly order: Sort };
    };
  }
}

/** The clicks on parts that only the board has. */
export const BOARD_TARGETS: TargetHandlers<"board"> = {
  browse: onBrowse,
  mark: (state, { at, range }) => step(markRow(state, at, range)),
  "no-marks": (state) => step(withoutMarks(state)),
  lane: onDropped,
  fold: (state, { at }) => step(toggleFold(state, at)),
  group: (state, { name }) => step(toggleGroup(state, name)),
  query: (state, { query }) => step(setQuery(state, query)),
  view: (state, { view }) => step(toView(state, view)),
  order: (state, { order }) => step(toOrder(state, order)),
};

function onBrowse(state: State, { key, applies }: TargetOf<"browse">, isSecond: boolean): Step {
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
