import { age } from "../../src/base/age.ts";
import { instantToMs } from "../../src/base/clock.ts";
import { connectionStatus, isStale } from "../../src/screen/connection/connection-status.ts";
import { scopeLabel } from "../../src/screen/scope/copies.ts";
import type { Screen, State } from "../../src/screen/state.ts";
import type { Paint } from "../style.ts";
import { cells, clean, fit } from "../text.ts";
import { capitalized, ends, textAt } from "./rows.ts";

function liveWord(state: State): string {
  const { replay } = state.session;
  if (replay === undefined) {
    const status = connectionStatus(state);
    if (status === "silent") return `silent ${silence(state)}`;
    if (status === "starting") return "connecting";
    return state.connection.readOnly === undefined || isStale(state) ? status : "read-only";
  }
  return replay.ended ? "replay over" : `replay ${replay.speed}x`;
}

/** Returns how long the daemon has sent nothing. */
function silence({ now, connection: { silentSince = now } }: State): string {
  return age(instantToMs(silentSince), instantToMs(now));
}

/** Screens of at least this width also show the version and the daemon. */
const WIDE = 140;
const MIN_NAME = 8;

/** How tabs are written: names with space around each, names one blank apart, or numbers with only the current name. */
type Tabs = "loose" | "tight" | "digits";

interface Parts {
  readonly lead: string;
  readonly how: Tabs;
  readonly right: string;
}

interface Fitted {
  readonly parts: Parts | undefined;
  readonly shown: string;
  readonly how: Tabs;
}

/**
 * The title line: the project, the tabs, and the connection at the right. If they do not fit, the project's name is cut
 * first, then the right side is shortened, and then the tabs become numbers.
 */
export function titleLine(state: State, paint: Paint, width: number): string {
  const { parts, shown, how } = fittedTitle(state, paint.glyphs.cut, width);
  const role = isStale(state) ? "dim" : "inverse";
  if (parts === undefined) return paint(role, fit(tabsOf(state, how), width, paint.glyphs.cut));
  return paint(
    role,
    ends(paint, width, `${parts.lead}${shown}  ${tabsOf(state, how)}`, parts.right),
  );
}

export function tabAt(state: State, width: number, x: number): Screen | undefined {
  const { parts, shown, how } = fittedTitle(state, "~", width);
  const start = parts === undefined ? 0 : cells(parts.lead) + cells(shown) + 2;
  return state.screens[textAt(tabTexts(state, how), x, start, how === "loose" ? 0 : 1)]?.name;
}

/** Returns the fullest title that fits. If none fits, returns the tabs alone. */
function fittedTitle(state: State, cut: string, width: number): Fitted {
  const name = clean(scopeLabel(state));
  const room = ({ lead, how, right }: Parts): number =>
    width - cells(lead) - cells(tabsOf(state, how)) - cells(right) - 4;
  const least = Math.min(cells(name), MIN_NAME);
  const all = partsOf(state, width);
  const parts = all.find((one) => room(one) >= least) ?? all.find((one) => room(one) > 0);
  if (parts === undefined) return { parts, shown: "", how: "digits" };
  const shown = fit(name, Math.min(cells(name), room(parts)), cut);
  return { parts, shown, how: parts.how };
}

/** The variants of the title, the fullest first. */
function partsOf(state: State, width: number): readonly Parts[] {
  const { actor } = state.session;
  const { daemon, api } = state.connection;
  const live = liveWord(state);
  const version = api === undefined ? "" : `api ${api}  `;
  const whole = clean(`daemon ${daemon}  ${version}${actor}  ${live} `);
  const usual = clean(`${actor}@${daemon} ${live} `);
  const rights = [usual, clean(`${actor} ${live} `), `${live} `];
  const lead = " svc  ";
  const parts = (how: Tabs, right: string, first = lead): Parts => ({ lead: first, how, right });
  return [
    ...(width < WIDE ? [] : [parts("loose", whole)]),
    parts("loose", usual),
    ...rights.map((right) => parts("tight", right)),
    ...rights.map((right) => parts("digits", right)),
    parts("digits", `${live} `, " "),
    parts("digits", "", " "),
  ];
}

function tabsOf(state: State, how: Tabs): string {
  return tabTexts(state, how).join(how === "loose" ? "" : " ");
}

function tabTexts(state: State, how: Tabs): readonly string[] {
  const requests = state.inbox.requests?.length ?? 0;
  return state.screens.map(({ name: screen }, at) => {
    const isShown = screen === state.screen;
    const count = screen === "inbox" && requests > 0 ? `(${requests})` : "";
    const name = how === "digits" && !isShown ? "" : ` ${capitalized(screen)}`;
    const text = `${at + 1}${name}${count}`;
    if (isShown) return `[${text}]`;
    return how === "loose" ? ` ${text} ` : text;
  });
}
