import { instantToMs } from "../../src/base/clock.ts";
import type { Command } from "../keys.ts";
import { type Place, placeAt } from "../screens/places.ts";
import { cursorIndex, moveBy, moveTo } from "./board.ts";
import { browseRow, moveInBrowse } from "./browse.ts";
import { runCommand } from "./commands.ts";
import { showTab } from "./cron.ts";
import { scrollBy } from "./detail.ts";
import { moveLines } from "./lines.ts";
import type { Screen, State } from "./state.ts";
import { type Message, type Step, step } from "./step.ts";

type Mouse = Extract<Message, { type: "mouse" }>;

/** The wheel moves by so many lines. */
const WHEEL = 3;

/** Two clicks on one place within so many milliseconds are one act, even where the list moved under them. */
const DOUBLE_MS = 500;

/** A click chooses, a second one on what is chosen opens it. While something is asked for, the mouse means nothing. */
export function onMouse(state: State, { act, x, y }: Mouse): Step {
  if (state.sheet !== undefined) return step(state);
  const place = placeAt(state, x, y);
  if (act !== "click") return scrolled(state, place, act === "up" ? -WHEEL : WHEEL);
  const { clicked } = state;
  const isSecond =
    clicked?.x === x &&
    clicked.y === y &&
    instantToMs(state.now) - instantToMs(clicked.at) < DOUBLE_MS;
  const next = { ...state, clicked: { x, y, at: state.now } };
  return clickedOn(next, place, isSecond);
}

function clickedOn(state: State, place: Place | undefined, isSecond: boolean): Step {
  if (place === undefined) return step(state);
  switch (place.is) {
    case "screen":
      return place.screen === state.screen && state.open.length === 0
        ? step(state)
        : runCommand(state, COMMANDS[place.screen]);
    case "tab":
      return place.tab === state.cron.tab ? step(state) : showTab(state, place.tab);
    case "detail":
      return step(state.open.length > 0 ? state : { ...state, focus: "detail" });
    case "browse": {
      if (place.key === undefined) return step({ ...state, focus: "browse" });
      const isChosen = state.focus === "browse" && browseRow(state)?.key === place.key;
      const next: State = { ...state, focus: "browse", browse: place.key };
      return isChosen || isSecond ? runCommand(next, "browse-apply") : step(next);
    }
    case "row": {
      const there: State = { ...state, focus: "list" };
      if (isSecond || place.at === cursorOf(state)) return runCommand(there, OPENING[there.screen]);
      return movedTo(there, place.at);
    }
  }
}

const COMMANDS: Readonly<Record<Screen, Command>> = {
  board: "board",
  inbox: "inbox",
  graph: "graph-screen",
  cron: "cron",
  projects: "projects",
  fleet: "fleet",
};

const OPENING: Readonly<Record<Screen, Command>> = {
  board: "open",
  inbox: "inbox-open",
  graph: "graph-open",
  cron: "cron-open",
  projects: "project-choose",
  fleet: "fleet-open",
};

function cursorOf(state: State): number {
  switch (state.screen) {
    case "board":
      return cursorIndex(state);
    case "inbox":
      return state.inbox.cursor;
    case "graph":
      return state.graph?.cursor ?? 0;
    case "cron":
      return state.cron.cursor;
    case "projects":
      return state.projectCursor;
    case "fleet":
      return state.fleet.cursor;
  }
}

function movedTo(state: State, at: number): Step {
  return state.screen === "board"
    ? step(moveTo(state, at))
    : moveLines(state, at - cursorOf(state));
}

function scrolled(state: State, place: Place | undefined, by: number): Step {
  const here: State = { ...state, clicked: undefined };
  if (state.open.length > 0) return step(scrollBy(here, by));
  if (state.screen !== "board") return moveLines(here, by);
  if (place?.is === "detail") return step(scrollBy(here, by));
  if (place?.is === "browse") {
    return step(moveInBrowse({ ...here, focus: "browse" }, by));
  }
  return step(moveBy(here, by));
}
