import { SCREENS, type Screen, type State } from "../state/state.ts";
import type { Paint } from "../style.ts";
import { cells, clean, fit } from "../text.ts";
import { ends } from "./rows.ts";

const NAMES: Readonly<Record<Screen, string>> = {
  board: "Board",
  inbox: "Inbox",
  graph: "Graph",
  cron: "Cron",
  projects: "Projects",
  fleet: "Fleet",
};

const LIVE: Readonly<Record<State["live"], string>> = {
  starting: "connecting",
  live: "live",
  polling: "polling",
  reconnecting: "reconnecting",
};

function liveWord({ live, replay }: State): string {
  if (replay === undefined) return LIVE[live];
  return replay.ended ? "replay over" : `replay ${replay.speed}x`;
}

/** From here on there is room for what is seldom looked for. */
const WIDE = 140;
/** Of a name that is cut so much is seen. */
const MIN_NAME = 8;

interface Parts {
  readonly lead: string;
  readonly tabs: string;
  readonly right: string;
}

/**
 * What is shown, the screens there are, and the daemon behind them. The tabs are what a person needs: a long name gives
 * way to them first, then the right side, and at last the names of all screens but the one that is shown.
 */
export function titleLine(state: State, paint: Paint, width: number): string {
  const name = clean(state.scope.project?.name ?? "all projects");
  const room = ({ lead, tabs, right }: Parts): number =>
    width - cells(lead) - cells(tabs) - cells(right) - 4;
  const least = Math.min(cells(name), MIN_NAME);
  const all = partsOf(state, width);
  const parts = all.find((one) => room(one) >= least) ?? all.find((one) => room(one) > 0);
  // What is seen may be old while nobody answers.
  const role = state.live === "reconnecting" ? "dim" : "inverse";
  if (parts === undefined) return paint(role, fit(tabsOf(state, "digits"), width));
  const shown = fit(name, Math.min(cells(name), room(parts)), paint.glyphs.cut);
  return paint(role, ends(width, `${parts.lead}${shown}  ${parts.tabs}`, parts.right));
}

/** What may stand beside the name, the fullest first. */
function partsOf(state: State, width: number): readonly Parts[] {
  const { actor, daemon, api } = state;
  const live = liveWord(state);
  const version = api === undefined ? "" : `api ${api}  `;
  const whole = clean(`daemon ${daemon}  ${version}${actor}  ${live} `);
  const usual = clean(`${actor}@${daemon} ${live} `);
  const rights = [usual, clean(`${actor} ${live} `), `${live} `];
  const [loose, tight, digits] = (["loose", "tight", "digits"] as const).map((how) =>
    tabsOf(state, how),
  );
  const lead = " svc  ";
  const parts = (tabs = "", right = "", first = lead): Parts => ({ lead: first, tabs, right });
  return [
    ...(width < WIDE ? [] : [parts(loose, whole)]),
    parts(loose, usual),
    ...rights.map((right) => parts(tight, right)),
    ...rights.map((right) => parts(digits, right)),
    parts(digits, `${live} `, " "),
    parts(digits, "", " "),
  ];
}

/** The screen that is shown stands in brackets, with its name at any width. */
function tabsOf(state: State, how: "loose" | "tight" | "digits"): string {
  const asked = state.inbox.requests?.length ?? 0;
  const tabs = SCREENS.map((screen, at) => {
    const isShown = screen === state.screen;
    const count = screen === "inbox" && asked > 0 ? `(${asked})` : "";
    const name = how === "digits" && !isShown ? "" : ` ${NAMES[screen]}`;
    const text = `${at + 1}${name}${count}`;
    if (isShown) return `[${text}]`;
    return how === "loose" ? ` ${text} ` : text;
  });
  return tabs.join(how === "loose" ? "" : " ");
}
