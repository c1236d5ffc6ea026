import type { ScreenReducer } from "../reducer.ts";
import { step } from "../step.ts";
import { withScrolledLanes } from "./lane-places.ts";
import { withFound } from "./search.ts";
import { onViews } from "./views.ts";

export const boardReducer: ScreenReducer<"board"> = {
  found: withFound,
  views: onViews,
  "lanes-scrolled": (state, { above }) => step(withScrolledLanes(state, above)),
};
