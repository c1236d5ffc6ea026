import { applyBrowse, browseRow, moveInBrowse, removeBrowsed } from "../browse.ts";
import type { State } from "../state.ts";
import { viewsOf } from "../views.ts";
import { type Doings, to } from "./doing.ts";

export const BROWSE = {
  "browse-down": to((state) => moveInBrowse(state, 1)),
  "browse-up": to((state) => moveInBrowse(state, -1)),
  "browse-first": to((state) => moveInBrowse(state, -Infinity)),
  "browse-last": to((state) => moveInBrowse(state, Infinity)),
  "browse-apply": { run: applyBrowse },
  "remove-view": { run: removeBrowsed, why: whyNoView },
} satisfies Doings;

function whyNoView(state: State): string | undefined {
  const target = browseRow(state)?.target;
  if (target?.is !== "view") return "only a saved view can be removed";
  const view = viewsOf(state).find(({ name }) => name === target.name);
  return view?.isOwn === true ? undefined : `the view ${target.name} is always there`;
}
