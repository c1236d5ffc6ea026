import { promptDialog } from "../forms/dialog.ts";
import { partsOf, termOf } from "../issues/query.ts";
import type { MessageOf } from "../message.ts";
import { hint, say } from "../messages/messages.ts";
import { type State, toScreen, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import { withTruth } from "../writes/optimism.ts";
import { keepingCursor, moveTo, setQuery } from "./board.ts";
import type { Search } from "./state.ts";

/**
 * Searches in the daemon, which also finds comments and issues that are not loaded here. `query` is the filter to
 * restore after the search.
 */
export function searchDaemon(state: State, text: string, query = state.board.query): Step {
  const terms = partsOf(text).map(termOf);
  const values = (is: "word" | "label" | "-label"): readonly string[] =>
    terms.flatMap((term) => (term.is === is && term.value !== "" ? [term.value] : []));
  const words = values("word").join(" ");
  if (words === "") return hint(state, "type the words that the daemon is to look for");
  const { project } = state.scope;
  const projects = project === undefined ? state.scope.projects.map(({ id }) => id) : [project.id];
  const serial = state.session.serial + 1;
  const search: Search = { words, serial, found: undefined, meant: new Set(), how: "" };
  const board = withSlice(toScreen(state, "board"), "session", { serial });
  const left = setQuery({ ...board, dialog: undefined }, query);
  const next = withSlice(left, "board", { search });
  const [labels, withoutLabels] = [values("label"), values("-label")];
  return step(next, { effect: "search", serial, words, labels, withoutLabels, projects });
}

export function openSearchPrompt(state: State): State {
  const { query } = state.board;
  const parts = partsOf(query).filter((part) =>
    ["word", "label", "-label"].includes(termOf(part).is),
  );
  const dialog = promptDialog("search", "search the daemon for", { text: parts.join(" ") });
  return { ...state, dialog };
}

/** Stores the issues that a search has found, and shows them. The answer to an earlier search is dropped. */
export function withFound(state: State, message: MessageOf<"found">): Step {
  const { search } = state.board;
  if (search?.serial !== message.serial) return step(state);
  if ("error" in message) return say(leaveSearch(state), message.error, "error");
  const { issues, how } = message;
  const meant = new Set(message.meant);
  const found = issues.map(({ uid }) => uid);
  const next = withSlice(withTruth(state, issues), "board", {
    search: { ...search, found, meant, how },
    line: 0,
  });
  return step(moveTo(next, 0));
}

export function leaveSearch(state: State): State {
  return keepingCursor(state, (now) => withSlice(now, "board", { search: undefined }));
}
