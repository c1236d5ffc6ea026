import type { ComponentType } from "react";
import type { Screen } from "../src/screen/state.ts";
import type { PainterProps } from "./painter.ts";
import { Board } from "./painters/board.tsx";
import { Later } from "./painters/later.tsx";

/** What draws each screen (`painter.ts` says how to add one). All but the board are loaded when they are opened. */
export const PAINTERS: Readonly<Record<Screen, ComponentType<PainterProps>>> = {
  board: Board,
  inbox: Later,
  graph: Later,
  cron: Later,
  projects: Later,
  fleet: Later,
};
