import { SORTS } from "../src/screen/board/sort.ts";
import { VIEWS } from "../src/screen/board/state.ts";
import { CRON_TABS } from "../src/screen/cron/state.ts";
import { HOME, type Place } from "../src/screen/place/place.ts";
import { SCREENS } from "../src/screen/state.ts";

/** The path of the page. */
export const PAGE_PATH = "/svc";

/** The address of a place. Values that are the defaults are left out, so that addresses stay short. */
export function urlOf(place: Place): string {
  const search = new URLSearchParams();
  const { screen, tab, project, query, view, order, issue } = place;
  if (screen !== HOME.screen) search.set("screen", screen);
  if (tab !== HOME.tab) search.set("tab", tab);
  if (project !== undefined) search.set("project", project);
  if (query !== HOME.query) search.set("filter", query);
  if (view !== HOME.view) search.set("view", view);
  if (order !== HOME.order) search.set("order", order);
  if (issue !== undefined) search.set("issue", issue);
  const text = search.toString();
  return text === "" ? PAGE_PATH : `${PAGE_PATH}?${text}`;
}

/** Returns a function that gives the address of an issue, opened at `place`. */
export function issueUrls(place: Place): (uid: string) => string {
  const base = urlOf({ ...place, issue: undefined });
  const lead = `${base}${base.includes("?") ? "&" : "?"}issue=`;
  return (uid) => lead + uid;
}

/** The place that an address names. A value that is not valid becomes the default, so that an old link still works. */
export function placeIn(search: string): Place {
  const given = new URLSearchParams(search);
  const one = <Value extends string>(name: string, all: readonly Value[], usual: Value): Value =>
    all.find((value) => value === given.get(name)) ?? usual;
  return {
    screen: one("screen", SCREENS, HOME.screen),
    tab: one("tab", CRON_TABS, HOME.tab),
    project: given.get("project") ?? undefined,
    query: given.get("filter") ?? HOME.query,
    view: one("view", VIEWS, HOME.view),
    order: one("order", SORTS, HOME.order),
    issue: uidIn(given.get("issue")),
  };
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

function uidIn(text: string | null): string | undefined {
  const uid = text?.toUpperCase();
  return uid !== undefined && ULID.test(uid) ? uid : undefined;
}

/**
 * How the browser's history changes: `push` adds an entry, so that the back button leads to `from`; `replace` changes
 * the current entry. Another screen, project, issue or named view adds one; a typed filter does not.
 */
export function historyStep(
  from: Place,
  to: Place,
  isNamedView: boolean,
): "push" | "replace" | "none" {
  if (urlOf(from) === urlOf(to)) return "none";
  const isElsewhere =
    from.screen !== to.screen ||
    from.tab !== to.tab ||
    from.project !== to.project ||
    from.issue !== to.issue ||
    (from.query !== to.query && isNamedView);
  return isElsewhere ? "push" : "replace";
}
