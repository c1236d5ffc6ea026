import { isProjectMissing, needsProject } from "../empty.ts";
import { NO_FILTER } from "../issues/query.ts";
import type { Command } from "../keys.ts";
import type { State } from "../state.ts";
import { nearMisses } from "./near-misses.ts";

/** A button on a screen without rows. It runs a command or sets the filter. Only the browser page draws buttons. */
export type EmptyAct = { readonly label: string } & (
  | { readonly command: Command }
  | { readonly query: string }
);

const NEW: EmptyAct = { command: "new", label: "New issue" };
const NEW_PROJECT: EmptyAct = { command: "project-new", label: "New project" };
const BOARD: EmptyAct = { command: "board", label: "Go to the board" };

export function emptyActs(state: State): readonly EmptyAct[] {
  if (isProjectMissing(state)) return [{ command: "projects", label: "Choose a project" }];
  switch (state.screen) {
    case "board": {
      const { search, query } = state.board;
      if (needsProject(state)) return [NEW_PROJECT];
      if (search?.found !== undefined) return [{ command: "back", label: "Leave the search" }];
      const clear: EmptyAct = { command: "clear-filter", label: "Clear the filter" };
      const wider = nearMisses(state).map(
        (miss): EmptyAct => ({ query: miss.query, label: `Show ${miss.count} ${miss.differs}` }),
      );
      return query === NO_FILTER ? [NEW] : [...wider, clear, NEW];
    }
    case "inbox":
      return state.inbox.all
        ? [BOARD]
        : [{ command: "inbox-all", label: "Look at all your addresses" }, BOARD];
    case "graph":
      return [BOARD];
    case "cron":
      if (state.projects.scope.project === undefined)
        return [{ command: "projects", label: "Choose a project" }];
      return state.cron.tab === "series" ? [{ command: "series-new", label: "New series" }] : [];
    case "projects":
      return [NEW_PROJECT];
    case "fleet": {
      const { text, silentOnly } = state.fleet;
      const isFiltered = text !== "" || silentOnly;
      return isFiltered ? [{ command: "fleet-clear", label: "Clear the filter" }] : [BOARD];
    }
  }
}
