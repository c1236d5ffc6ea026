import { type Empty, type EmptyAct, keysOf, LOADING, NEW_PROJECT } from "../empty-text.ts";
import { NO_FILTER, unknownNameIn } from "../issues/query.ts";
import { whyCopy } from "../scope/copies.ts";
import type { State } from "../state.ts";
import { boardLines } from "./board.ts";
import { nearMisses } from "./near-misses.ts";

export function emptyBoard(state: State): Empty | undefined {
  if (boardLines(state).length > 0) return undefined;
  const key = keysOf(state);
  const { board, issues } = state;
  const { stage: loading } = state.loading;
  if (loading === "nothing" || loading === "first") return LOADING;
  if (board.search?.found !== undefined)
    return { why: "the daemon found nothing", how: `${key("back")} goes back`, next: [] };
  if (needsProject(state)) {
    if (state.connection.live === "starting") return LOADING;
    const next = `${key("projects")} shows the projects: ${key("project-new")} there makes one by its name`;
    return { why: "There is no project yet, and an issue needs one.", byKey: [next], next: [] };
  }
  if (issues.size === 0)
    return { why: "no issues yet", how: `${key("new")} makes the first`, next: [] };
  const how = `${key("clear-filter")} clears the filter, ${key("search")} asks the daemon, ${key("new")} makes one`;
  return { why: "no issues match", how, ...whyNone(state) };
}

function needsProject({ scope }: State): boolean {
  return scope.projects.length === 0 && scope.project === undefined;
}

/**
 * The texts for a filter that finds no issues. `byKey` names changed filters that would find issues. `next` says which
 * field name in the filter is unknown. The browser page has a button for each line of `byKey`.
 */
function whyNone(state: State): Pick<Empty, "byKey" | "next"> {
  const name = unknownNameIn(state.board.query);
  const states = `${keysOf(state)("next-status")} goes through the states`;
  return {
    byKey: nearMisses(state).map(
      ({ differs, count, isStatus }) =>
        `${differs} there would be ${count}${isStatus ? `: ${states}` : ""}`,
    ),
    next:
      name === undefined
        ? []
        : [`no ${name}: here, but status: owner: author: project: label: date: rel: p: meta.`],
  };
}

const NEW: EmptyAct = { command: "new", label: "New issue" };

export function boardActs(state: State): readonly EmptyAct[] {
  const { search, query } = state.board;
  if (needsProject(state)) return [NEW_PROJECT];
  if (search?.found !== undefined) return [{ command: "back", label: "Leave the search" }];
  const clear: EmptyAct = { command: "clear-filter", label: "Clear the filter" };
  const wider = nearMisses(state).map(
    (miss): EmptyAct => ({ query: miss.query, label: `Show ${miss.count} ${miss.differs}` }),
  );
  const made = whyCopy(state, [state.scope.project?.id]) === undefined ? [NEW] : [];
  return query === NO_FILTER ? made : [...wider, clear, ...made];
}
