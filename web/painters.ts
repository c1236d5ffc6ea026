import { lazy } from "react";
import { LATER } from "./later.ts";
import type { PagePainter } from "./painter.ts";
import { Board } from "./painters/board.tsx";

/** How each screen is drawn. Only the board is in the first script. The others are loaded when they are opened. */
export const PAGE_PAINTERS: readonly PagePainter[] = [
  { name: "board", title: "Board", icon: "board", Painter: Board },
  { name: "inbox", title: "Inbox", icon: "inbox", Painter: lazy(LATER.inbox) },
  { name: "graph", title: "Graph", icon: "graph", Painter: lazy(LATER.graph) },
  { name: "cron", title: "Cron", icon: "cron", Painter: lazy(LATER.cron) },
  { name: "projects", title: "Projects", icon: "projects", Painter: lazy(LATER.projects) },
  { name: "fleet", title: "Fleet", icon: "fleet", Painter: lazy(LATER.fleet) },
];
