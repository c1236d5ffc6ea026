import type { View } from "../board/state.ts";
import type { CronTab } from "../cron/state.ts";
import { HOME_SCREEN } from "../home-screen.ts";
import { NO_FILTER } from "../issues/query.ts";
import type { Sort } from "../issues/sort.ts";
import type { Screen } from "../state.ts";

/**
 * The place that an address of the browser page names: a screen with its project, filter and order, and the open issue.
 */
export interface Place {
  readonly screen: Screen;
  /** The name of the project; `undefined` for all projects. */
  readonly project: string | undefined;
  /** The tab of the cron screen. */
  readonly tab: CronTab;
  readonly query: string;
  readonly view: View;
  readonly order: Sort;
  /** The uid of the issue whose graph is shown. */
  readonly source: string | undefined;
  /** The uid of the open issue, or the name by which the page's address names it. */
  readonly issue: string | undefined;
  /** Whether the issue is open, and not only shown beside the list because the cursor is on its row. */
  readonly isOpen: boolean;
}

export const HOME: Place = {
  screen: HOME_SCREEN,
  project: undefined,
  tab: "runs",
  query: NO_FILTER,
  view: "nested",
  order: "updated",
  source: undefined,
  issue: undefined,
  isOpen: false,
};
