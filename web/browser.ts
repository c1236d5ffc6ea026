import type { RefObject } from "react";
import { systemClock } from "../src/base/clock.ts";
import { keyBindingOf } from "../src/screen/commands.ts";
import { viewOf } from "../src/screen/detail/detail.ts";
import type { Message } from "../src/screen/message.ts";
import type { State } from "../src/screen/state.ts";
import type { Store } from "../src/screen/store.ts";
import { followAddress } from "./address.ts";
import type { Visibility } from "./event-stream.ts";
import { earlyKeyOf, isComposing, keyNameOf } from "./keys.ts";
import { lettersAreOff } from "./letters.ts";
import { CARD_HEIGHT, LINE_HEIGHT, type MeasuredIssue } from "./room.ts";
import { keepTyped } from "./start.ts";
import type { Keep } from "./storage.ts";

export function sizeOf({ innerWidth, innerHeight }: Window): {
  readonly width: number;
  readonly height: number;
} {
  return { width: innerWidth, height: innerHeight };
}

/** Sends the window's keys, sizes and addresses to the state. When the state's place changes, the address follows. */
export function followPage(
  store: Store<Message>,
  keep: Keep,
  pane: RefObject<HTMLElement | null>,
  signal: AbortSignal,
): void {
  const on = { signal };
  const { dispatch } = store;
  window.addEventListener(
    "resize",
    () => {
      const { width, height } = sizeOf(window);
      dispatch({ type: "resize", columns: width, rows: height });
    },
    on,
  );
  document.addEventListener("keydown", (event) => onKey(event, store, pane.current), on);
  window.addEventListener("pagehide", () => keepTyped(keep, store.get()), on);
  document.addEventListener(
    "visibilitychange",
    () => {
      if (document.hidden) keepTyped(keep, store.get());
    },
    on,
  );
  followAddress(store, keep, systemClock, signal);
}

/** Elements for which the browser itself acts on enter or space. */
const PRESSABLE =
  "[type=checkbox], [type=radio], button, a[href], select, summary, [role=tab], [role=separator], [role=menuitem]";
const TEXT_FIELDS = "input, textarea, [contenteditable]";

function onKey(event: KeyboardEvent, store: Store<Message>, pane: HTMLElement | null): void {
  if (event.defaultPrevented || isComposing(event) || !(event.target instanceof Element)) return;
  const { target } = event;
  if (isWaitedFor(store.get())) return onEarlyKey(event, store);
  if (target.closest(TEXT_FIELDS) !== null && !target.matches("[type=checkbox], [type=radio]"))
    return;
  const name = keyNameOf(event);
  if (name === undefined) return;
  // In a drop-down list, letters choose an option.
  if (target.matches("select") && name !== "/") return;
  const isPress = name === "enter" || name === "space";
  if (isPress && target.closest(PRESSABLE) !== null) return;
  const state = store.get();
  const isLetter = [...name].length === 1;
  if (isLetter && lettersAreOff()) return;
  // A chord that has no command on this page is left to the browser.
  const isChord = name.includes("+") && name !== "+";
  if (isChord && state.dialog === undefined && keyBindingOf(state, name) === undefined) return;
  if (/^F\d/.test(event.key)) return;
  event.preventDefault();
  followScroll(store, pane);
  followLanes(store, name);
  store.dispatch({ type: "key", key: name });
}

/** Whether a dialog is open that is not drawn yet, because its script is still being loaded. */
function isWaitedFor({ dialog }: State): boolean {
  return (
    dialog !== undefined && document.querySelector("dialog[open], .filter-bar.typing") === null
  );
}

/**
 * Sends a key to the state while the open dialog is not drawn yet. The state edits the dialog's text as on the
 * terminal, so nothing that is typed is lost, and the key presses no button that still has the focus.
 */
function onEarlyKey(event: KeyboardEvent, { dispatch }: Store<Message>): void {
  const name = earlyKeyOf(event);
  if (name === undefined) return;
  event.preventDefault();
  dispatch({ type: "key", key: name });
}

/** Tells the state how far a wheel or finger has scrolled the issue, so that the next key scrolls on from there. */
function followScroll(store: Store<Message>, pane: HTMLElement | null): void {
  const state = store.get();
  if (pane === null || state.window.focus !== "detail") return;
  const at = Math.round(pane.scrollTop / LINE_HEIGHT);
  const top = viewOf(state)?.top ?? at;
  if (at !== top) store.dispatch({ type: "scrolled", place: { is: "detail" }, by: at - top });
}

/** Tells the state how far the lanes are scrolled, before a key moves the cursor to the next lane. */
function followLanes(store: Store<Message>, name: string): void {
  const command = keyBindingOf(store.get(), name)?.command;
  if (command !== "lane-left" && command !== "lane-right") return;
  const lanes = [...document.querySelectorAll<HTMLElement>(".lane[data-lane]")];
  const above = lanes.flatMap((lane) => {
    const list = lane.querySelector(".window-list");
    const cards = Math.round((list?.scrollTop ?? 0) / CARD_HEIGHT);
    return list === null ? [] : [[lane.dataset["lane"] ?? "", cards] as const];
  });
  store.dispatch({ type: "lanes-scrolled", above: new Map(above) });
}

export function measure(pane: HTMLElement | null): MeasuredIssue | undefined {
  const uid = pane?.dataset["uid"];
  if (pane === null || uid === undefined) return undefined;
  const origin = pane.getBoundingClientRect().top - pane.scrollTop;
  const lineOf = (element: Element): number =>
    Math.floor((element.getBoundingClientRect().top - origin) / LINE_HEIGHT);
  const refs = [...pane.querySelectorAll("[data-ref]")].map((element) => ({
    uid: element.getAttribute("data-ref") ?? "",
    line: lineOf(element),
  }));
  const section = pane.querySelector("[data-section]");
  return {
    uid,
    document: {
      lines: Math.ceil(pane.scrollHeight / LINE_HEIGHT),
      height: Math.max(1, Math.floor(pane.clientHeight / LINE_HEIGHT)),
      refs,
      tabs: section === null ? 0 : lineOf(section),
    },
  };
}

export const visibility: Visibility = {
  isHidden: () => document.hidden,
  shown: async (signal) => {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (document.hidden && !signal.aborted) return;
        document.removeEventListener("visibilitychange", look);
        resolve();
      };
      document.addEventListener("visibilitychange", look);
      signal.addEventListener("abort", look, { once: true });
      look();
    });
  },
  onHidden: (call) => {
    const look = (): void => {
      if (document.hidden) call();
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  },
};
