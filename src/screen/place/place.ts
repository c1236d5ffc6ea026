import { NO_FILTER } from "../board/query.ts";
import type { Sort } from "../board/sort.ts";
import type { View } from "../board/state.ts";
import { type CronTab, EMPTY_CRON } from "../cron/state.ts";
import type { Screen, State } from "../state.ts";

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
}

export const HOME: Place = {
  screen: "board",
  project: undefined,
  tab: EMPTY_CRON.tab,
  query: NO_FILTER,
  view: "nested",
  order: "updated",
  source: undefined,
  issue: undefined,
};

export function placeOf(state: State): Place {
  const { screen, projects, board, cron, graph, detail, window } = state;
  const { query, view, order, cursor } = board;
  // While the pane beside the list has the focus, the issue in this pane counts as open.
  const beside = screen === "board" && window.focus === "detail" ? cursor : undefined;
  const issue = detail.open.at(-1) ?? beside;
  const tab = screen === "cron" ? cron.tab : HOME.tab;
  const source = screen === "graph" ? graph?.source : undefined;
  const project = projects.missing?.name ?? projects.scope.project?.name;
  return { screen, project, tab, query, view, order, source, issue };
}
