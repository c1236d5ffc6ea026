import { isUlid } from "../src/base/ulid.ts";
import { HOME_SCREEN } from "../src/screen/home-screen.ts";
import { issueIn, PAGE_PATH } from "../src/screen/issues/issue-address.ts";
import { addressFields, homeOf } from "../src/screen/place/home.ts";
import type { Place } from "../src/screen/place/place.ts";
import type { ScreenRecord } from "../src/screen/screen.ts";
import { SCREENS } from "../src/screen/screens.ts";

/** What an entry of the browser's history stores besides its address. */
interface Entry {
  /** True if the issue was not opened, but is shown beside the list because the cursor is on its row. */
  readonly beside: boolean;
}

export function entryOf({ issue, isOpen }: Place): Entry {
  return { beside: issue !== undefined && !isOpen };
}

/** The place that an address without parameters names. */
export const HOME: Place = homeOf(SCREENS);

type Screens = readonly ScreenRecord[];

/** The address of a place. Values that are the defaults are left out, so that addresses stay short. */
export function urlOf(place: Place, screens: Screens = SCREENS): string {
  const search = new URLSearchParams();
  const { screen, project, issue } = place;
  const own = screens.filter(({ name }) => name === screen && name !== HOME_SCREEN);
  if (screen !== HOME_SCREEN) search.set("screen", screen);
  addFields(search, place, own);
  if (project !== undefined) search.set("project", project);
  addFields(
    search,
    place,
    screens.filter((one) => !own.includes(one)),
  );
  if (issue !== undefined) search.set("issue", issue);
  const text = search.toString();
  return text === "" ? PAGE_PATH : `${PAGE_PATH}?${text}`;
}

function addFields(search: URLSearchParams, place: Place, screens: Screens): void {
  for (const [name, { parameter, usual }] of addressFields(screens)) {
    const value = place[name];
    if (value !== undefined && value !== usual) search.set(parameter, value);
  }
}

/** Returns a function that gives the address at which an issue is open over the screen of `place`. */
export function issueUrls(place: Place): (uid: string) => string {
  const base = urlOf({ ...place, issue: undefined });
  const lead = `${base}${base.includes("?") ? "&" : "?"}issue=`;
  return (uid) => lead + uid;
}

/**
 * Returns the place that an address names in its query and fragment. `entry` is the state of the address's entry in the
 * history. A value that is not valid becomes the default, so that an old link still works. Names of projects and issues
 * are not checked, because only the daemon knows which exist.
 */
export function placeIn(
  { search, hash }: Pick<URL, "search" | "hash">,
  entry: unknown = null,
  screens: Screens = SCREENS,
): Place {
  const parameters = new URLSearchParams(search);
  const named = screens.find(({ name }) => name === parameters.get("screen"));
  const screen = named?.name ?? HOME_SCREEN;
  const fields = addressFields(screens).flatMap(([name, { parameter, parse }]) => {
    const text = parameters.get(parameter);
    const value = text === null ? undefined : parse(text, screen);
    return value === undefined ? [] : [[name, value] as const];
  });
  const issue = issueIn(parameters.get("issue"), hash);
  const isBeside =
    typeof entry === "object" && entry !== null && "beside" in entry && entry.beside === true;
  return {
    ...homeOf(screens),
    ...Object.fromEntries(fields),
    screen,
    project: parameters.get("project") ?? undefined,
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
export function historyStep(
  from: Place,
  to: Place,
  how: PlaceOptions,
  screens: Screens = SCREENS,
): "push" | "replace" {
  const isElsewhere =
    from.screen !== to.screen ||
    from.project !== to.project ||
    addressFields(screens).some(
      ([name, field]) => field.leadsElsewhere?.(from[name], to[name]) === true,
    ) ||
    (how.opens && to.issue !== undefined) ||
    (from.isOpen && from.issue !== to.issue && !isFound(from.issue, to.issue)) ||
    (from.query !== to.query && how.isNamedView);
  return isElsewhere ? "push" : "replace";
}

interface PlaceOptions {
  readonly opens: boolean;
  /** Whether the filter of `to` is the filter of a named view. */
  readonly isNamedView: boolean;
}

/** Whether both places have the same address and the same entry of the history. */
export function isSamePlace(a: Place, b: Place): boolean {
  // The cast is safe: every place has the fields of the type and of the screens.
  const names = Object.keys(a) as (keyof Place)[];
  return names.every((name) => a[name] === b[name]);
}

/**
 * Whether `from` is an issue's id and `to` a uid. The issue in the page's address changes in this way when the daemon
 * has answered which issue the id means.
 */
function isFound(from: string | undefined, to: string | undefined): boolean {
  return from !== undefined && !isUlid(from) && to !== undefined && isUlid(to);
}
