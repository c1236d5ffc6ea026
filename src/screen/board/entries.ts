import { ORDERS, SORTS } from "../issues/sort.ts";
import { hint } from "../messages/messages.ts";
import { type Entry, entry } from "../palette/entry.ts";
import { toScreen } from "../state.ts";
import { step } from "../step.ts";
import { toOrder, toView, whyNoOrder } from "./board.ts";
import { GROUPED_VIEWS, type GroupedView } from "./state.ts";
import { removeView, showView } from "./views.ts";

const UNGROUPED = "none";

/** Entries that only the palette has: the views, groups and orders of the list by their names. */
export const BOARD_ENTRIES: readonly Entry[] = [
  ...(
    [
      ["today", "the view Today: scheduled or due by today"],
      ["upcoming", "the view Upcoming: scheduled for a later day"],
      ["deadlines", "the view Deadlines: whatever has one"],
      ["capture", "the view Capture: what belongs to no other project"],
      ["logbook", "the view Logbook: what is closed"],
      ["open issues", "the view All open"],
    ] as const
  ).map(([name, label]) =>
    entry(name, label, (state) => showView(state, name.split(" ", 1)[0] ?? name)),
  ),
  entry("remove view", "remove a saved view", {
    what: "view",
    choices: ({ board: { views } }) => views.map(({ name }) => name),
    run: removeView,
  }),
  entry("group", "group the list of the board", {
    what: "what by",
    choices: () => [...GROUPED_VIEWS.map(groupingOf), UNGROUPED],
    run: (state, text) => {
      const view = GROUPED_VIEWS.find((known) => groupingOf(known) === text);
      if (view === undefined && text !== UNGROUPED)
        return hint(state, `the list is grouped by ${GROUPED_VIEWS.map(groupingOf).join(", ")}`);
      return step(toView(toScreen(state, "board"), view ?? "flat"));
    },
  }),
  entry("order", "the order of the board", {
    what: "order",
    choices: () => SORTS,
    run: (state, text) => {
      const order = SORTS.find((known) => known === text);
      if (order === undefined)
        return hint(
          state,
          `the order is one of ${ORDERS.join(", ")}, or one of these with - before it`,
        );
      const why = whyNoOrder(state);
      return why === undefined ? step(toOrder(state, order)) : hint(state, why);
    },
  }),
];

function groupingOf(view: GroupedView): string {
  return view.slice("by-".length);
}
