import type { Clock } from "../src/base/clock.ts";
import { isViewShown } from "../src/screen/board/views.ts";
import { Debounce } from "../src/screen/effects/debounce.ts";
import type { Message } from "../src/screen/message.ts";
import type { Place } from "../src/screen/place/place.ts";
import { placeOf } from "../src/screen/place/place-of.ts";
import type { Store } from "../src/screen/store.ts";
import { entryOf, historyStep, isSamePlace, placeIn, urlOf } from "./place.ts";
import { type Keep, remember } from "./storage.ts";

/**
 * The minimum time between two changes of the current entry. Safari allows a page 100 changes in 30 seconds, and a key
 * that is held down moves the cursor more often than that.
 */
const REST_MS = 400;

/** Keeps the address of the page equal to the shown place, and follows the browser's back and forward buttons. */
export function followAddress(
  store: Store<Message>,
  keep: Keep,
  clock: Pick<Clock, "sleep" | "nowMs">,
  signal: AbortSignal,
): void {
  const rest = new Debounce(clock, signal);
  let shown: Place = placeIn(location, history.state);
  let { opened } = store.get().detail;
  /** The place that `write` puts into the current entry of the history. */
  let next: Place | undefined;
  let isTravelling = false;
  let changedMs = 0;

  const write = (): void => {
    changedMs = clock.nowMs();
    if (next !== undefined) change("replace", next);
    next = undefined;
  };
  /** Writes the address after the screen is drawn, and at most once in `REST_MS` while the cursor moves. */
  const writeSoon = (): void => {
    const leftMs = changedMs + REST_MS - clock.nowMs();
    // If the system clock was set back, `leftMs` can be hours, so it is limited.
    rest.ask("address", Math.max(0, Math.min(leftMs, REST_MS)), write);
  };
  const follow = (): void => {
    const state = store.get();
    const place = placeOf(state);
    const opens = state.detail.opened !== opened && !isTravelling;
    ({ opened } = state.detail);
    if (isSamePlace(place, shown) && !opens) return;
    const step = historyStep(shown, place, { opens, isNamedView: isViewShown(state) });
    const isChoice = place.view !== shown.view || place.order !== shown.order;
    if (step === "push" && !isTravelling) {
      write();
      change("push", place);
    } else {
      next = place;
      if (isChoice) write();
      else writeSoon();
    }
    const isThere = state.scope.missing === undefined;
    if (isThere && place.project !== shown.project) remember(keep, "project", place.project);
    shown = place;
  };
  const onTravel = (): void => {
    // A link to a fragment of the page, such as the one that skips to the list, makes an entry without a state.
    const isFragment = history.state === null && urlOf(placeIn(location)) === urlOf(shown);
    if (isFragment) return history.replaceState(entryOf(shown), "");
    // Drop the waiting change, because it was meant for the previous entry of the history.
    next = undefined;
    isTravelling = true;
    shown = placeIn(location, history.state);
    store.dispatch({ type: "went", place: shown });
    isTravelling = false;
  };

  if (history.state === null) history.replaceState(entryOf(shown), "");
  const unsubscribe = store.subscribe(follow);
  signal.addEventListener("abort", unsubscribe);
  window.addEventListener("popstate", onTravel, { signal });
}

function change(step: "push" | "replace", place: Place): void {
  const entry = entryOf(place);
  try {
    if (step === "push") history.pushState(entry, "", urlOf(place));
    else history.replaceState(entry, "", urlOf(place));
  } catch {
    // Browsers limit how often a page may change its address, and refuse more changes. The next change of place then
    // updates the address.
  }
}
