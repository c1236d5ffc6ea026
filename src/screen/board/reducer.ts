import type { Reducer } from "../reducer.ts";
import { withFound } from "./search.ts";
import { viewsCame } from "./views.ts";

export const boardReducer: Reducer<"found" | "views"> = { found: withFound, views: viewsCame };
