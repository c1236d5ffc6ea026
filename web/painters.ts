import { type ComponentType, lazy } from "react";
import type { Screen } from "../src/screen/state.ts";
import { LATER } from "./later.ts";
import type { PainterProps } from "./painter.ts";
import { Board } from "./painters/board.tsx";

/**
 * The component that draws each screen. Only the board is in the first script. The others are loaded when they are
 * opened.
 */
export const PAINTERS: Readonly<Record<Screen, ComponentType<PainterProps>>> = {
  board: Board,
  inbox: lazy(LATER.inbox),
  graph: lazy(LATER.graph),
  cron: lazy(LATER.cron),
  projects: lazy(LATER.projects),
  fleet: lazy(LATER.fleet),
};
