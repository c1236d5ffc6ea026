import { BOARD } from "./board/board-screen.ts";
import { CRON } from "./cron/cron-screen.ts";
import { FLEET } from "./fleet/fleet-screen.ts";
import { GRAPH } from "./graph/graph-screen.ts";
import { INBOX } from "./inbox/inbox-screen.ts";
import { PROJECTS } from "./projects/projects-screen.ts";
import type { ScreenRecord } from "./screen.ts";

/** The table of screens, in the order of their number keys. The start of a program puts it into the state. */
export const SCREENS: readonly ScreenRecord[] = [BOARD, INBOX, GRAPH, CRON, PROJECTS, FLEET];
