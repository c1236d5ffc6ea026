import { boardRows, cursorIndex, moveTo } from "../board/board.ts";
import { fleetRows } from "../fleet/fleet.ts";
import { graphRows } from "../graph/graph.ts";
import { issueOfRequest } from "../inbox/inbox.ts";
import type { Screen, State } from "../state.ts";

/**
 * The state with the cursor of the screen's list on the row of an issue; `undefined` if no row is about this issue. A
 * row that the board shows only as context of others does not count.
 */
export function cursorTo(state: State, uid: string): State | undefined {
  const rows = issuesOf(state);
  const now = state.screen === "board" ? cursorIndex(state) : cursorIn(state);
  if (rows[now] === uid) return state;
  const at = rows.indexOf(uid);
  if (at === -1) return undefined;
  if (state.screen === "board") return moveTo(state, at);
  return { ...state, [state.screen]: { ...state[state.screen], cursor: at } };
}

function cursorIn(state: State): number {
  return state.screen === "board" ? -1 : (state[state.screen]?.cursor ?? 0);
}

/** The issue of each row of the list; `undefined` for a row that is about none, or on a screen that lists no issues. */
function issuesOf(state: State): readonly (string | undefined)[] {
  switch (state.screen) {
    case "board":
      return boardRows(state).map(({ issue, context }) => (context ? undefined : issue.uid));
    case "inbox":
      return (state.inbox.requests ?? []).map(
        (item) => item.issue_uid ?? issueOfRequest(state, item)?.uid,
      );
    case "graph":
      return graphRows(state).map(({ uid }) => uid);
    case "fleet":
      return fleetRows(state).map(({ at }) => at.uid);
    case "cron":
    case "projects":
      return [];
  }
}

/** Whether all rows of the screen's list have been read, as far as they are read without being asked for. */
export function isListRead({ screen, loading, inbox, graph, fleet }: State): boolean {
  const isRead: Readonly<Record<Screen, boolean>> = {
    board: loading.stage === "done",
    inbox: inbox.requests !== undefined || inbox.error !== undefined,
    graph: graph === undefined || graph.data !== undefined || graph.error !== undefined,
    fleet: fleet.rows !== undefined || fleet.error !== undefined,
    cron: true,
    projects: true,
  };
  return isRead[screen];
}
