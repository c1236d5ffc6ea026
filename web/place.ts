import { isUlid } from "../src/base/ulid.ts";
import { VIEWS } from "../src/screen/board/state.ts";
import { CRON_TABS } from "../src/screen/cron/state.ts";
import { issueIn, PAGE_PATH, uidIn } from "../src/screen/issues/issue-address.ts";
import { SORTS } from "../src/screen/issues/sort.ts";
import { HOME, type Place } from "../src/screen/place/place.ts";
import type { ScreenRecord } from "../src/screen/screen.ts";
import { SCREENS } from "../src/screen/screens.ts";

/** What an entry of the browser's history knows beside its address. */
interface Entry {
  /** True if the issue is shown beside the list because the cursor is on its row, and was not opened. */
  readonly beside: boolean;
}

export function entryOf({ issue, isOpen }: Place): Entry {
  return { beside: issue !== undefined && !isOpen };
}

/** The address of a place. Values that are the defaults are left out, so that addresses stay short. */
export function urlOf(place: Place): string {
  const search = new URLSearchParams();
  const { screen, tab, project, query, view, order, source, issue } = place;
  if (screen !== HOME.screen) search.set("screen", screen);
  if (tab !== HOME.tab) search.set("tab", tab);
  if (project !== undefined) search.set("project", project);
  if (query !== HOME.query) search.set("filter", query);
  if (view !== HOME.view) search.set("view", view);
  if (order !== HOME.order) search.set("order", order);
  if (source !== undefined) search.set("source", source);
  if (issue !== undefined) search.set("issue", issue);
  const text = search.toString();
  return text === "" ? PAGE_PATH : `${PAGE_PATH}?${text}`;
}

/** Returns a function that gives the address at which an issue is open over the screen of `place`. */
export function issueUrls(place: Place): (uid: string) => string {
  const base = urlOf({ ...place, issue: undefined });
  const lead = `${base}${base.includes("?") ? "&" : "?"}issue=`;
  return (uid) => lead + uid;
}

/**
 * The place that the query and the fragment of an address name, with what its `entry` of the history knows. A value that is not valid becomes the default, so that
 * an old link still works. Names of projects and issues are not checked, because only the daemon knows which exist.
 */
export function placeIn(
  { search, hash }: Pick<URL, "search" | "hash">,
  entry: unknown = null,
  screens: readonly Pick<ScreenRecord, "name">[] = SCREENS,
): Place {
  const given = new URLSearchParams(search);
  const one = <Value extends string>(name: string, all: readonly Value[], usual: Value): Value =>
    all.find((value) => value === given.get(name)) ?? usual;
  const screen = one(
    "screen",
    screens.map(({ name }) => name),
    HOME.screen,
  );
  const issue = issueIn(given.get("issue"), hash);
  const isBeside =
    typeof entry === "object" && entry !== null && "beside" in entry && entry.beside === true;
  return {
    screen,
    tab: one("tab", CRON_TABS, HOME.tab),
    project: given.get("project") ?? undefined,
    query: given.get("filter") ?? HOME.query,
    view: one("view", VIEWS, HOME.view),
    order: one("order", SORTS, HOME.order),
    source: screen === "graph" ? uidIn(given.get("source")) : undefined,
    issue,
    isOpen: issue !== undefined && !isBeside,
  };
}

/**
 * Returns how the browser's history changes. `push` adds an entry, so that the back button leads to `from`. `replace`
 * changes the current entry.
 * - An entry is added for another screen, tab, project, graph or named view.
 * - An entry is added when the person opens an issue (`how.opens`), and when another issue is shown after that.
 * - No entry is added when the cursor moves, although the address then names another issue.
 * - No entry is added for a typed filter.
 * - No entry is added when the daemon has answered with the uid of an issue that the address names by its id.
 */
export function historyStep(from: Place, to: Place, how: PlaceOptions): "push" | "replace" {
  const isElsewhere =
    from.screen !== to.screen ||
    from.tab !== to.tab ||
    from.project !== to.project ||
    // A graph address without an issue leads to the graph that was shown last. The address then gets the issue of that
    // graph, which adds no entry.
    (from.source !== undefined && from.source !== to.source) ||
    (how.opens && to.issue !== undefined) ||
    (from.isOpen && from.issue !== to.issue && !isFound(from.issue, to.issue)) ||
    (from.query !== to.query && how.isNamedView);
  return isElsewhere ? "push" : "replace";
}

interface PlaceOptions {
  readonly opens: boolean;
  /** Whether the filter of `to` is that of a view with a name. */
  readonly isNamedView: boolean;
}

/** Whether both places have the same address and the same entry of the history. */
export function isSamePlace(a: Place, b: Place): boolean {
  const names = Object.keys(HOME) as (keyof Place)[];
  return names.every((name) => a[name] === b[name]);
}

/**
 * Whether `from` is an issue's id and `to` a uid. The issue in the page's address changes in this way when the daemon
 * has answered which issue the id means.
 */
function isFound(from: string | undefined, to: string | undefined): boolean {
  return from !== undefined && !isUlid(from) && to !== undefined && isUlid(to);
}
