import type { CommandHandlers } from "../command.ts";
import type { State } from "../state.ts";
import { applyBrowse, browseRow, removeBrowsed } from "./browse.ts";
import { viewsOf } from "./views.ts";

export const BROWSE_COMMANDS = {
  "browse-apply": { run: applyBrowse },
  "remove-view": { run: removeBrowsed, why: whyNoView },
} satisfies CommandHandlers;

function whyNoView(state: State): string | undefined {
  const target = browseRow(state)?.target;
  if (target?.is !== "view") return "only a saved view can be removed";
  const view = viewsOf(state).find(({ name }) => name === target.name);
  return view?.isOwn === true ? undefined : `the view ${target.name} is always there`;
}
