import { type Empty, GO_TO_BOARD, keysOf, LOADING } from "../empty-text.ts";
import { cursorIn, type ScreenRecord } from "../screen.ts";
import { CURSOR, CUT } from "../signs.ts";
import type { State } from "../state.ts";
import { step } from "../step.ts";
import { askHolders, FLEET_COMMANDS } from "./commands.ts";
import { fleetRow, fleetRows, loadFleet, touchesFleet, withFleet, withLastSeen } from "./fleet.ts";
import { FLEET_KEYS } from "./keys.ts";
import { fleetReducer } from "./reducer.ts";
import { initialFleet } from "./state.ts";

declare module "../forms/dialog.ts" {
  interface PromptKinds {
    readonly fleet: "holders";
  }
}

/** A read waits this long after an event, so that a burst of events causes one read. */
const AFTER_EVENT_MS = 100;

/** The holders of issues and what they work on. The holder who has been silent longest comes first. */
export const FLEET: ScreenRecord<"fleet"> = {
  name: "fleet",
  initial: ({ silentAfterMs }) => initialFleet(silentAfterMs),
  carriedOver: ({ fleet: { silentAfterMs } }) => ({ silentAfterMs }),

  keys: FLEET_KEYS,
  help: { fleet: { where: "in the fleet", heading: "Fleet" } },
  signs: {
    fleet: [
      CURSOR,
      CUT,
      { text: "z", glyph: "silent", label: "silent for long" },
      { text: "held", label: "a lease that ends when it is released" },
    ],
  },
  shownBy: "fleet",
  opensBy: "fleet-open",
  commands: FLEET_COMMANDS,
  scopes: [["fleet", "lines", "issue", "everywhere"]],
  filter: askHolders,
  prompts: {
    holders: {
      onChange: (state, text) => withFleet(state, { text }),
      onLeave: (state, { before }) => withFleet(state, { text: before }),
      answer: (state, { field }) => step(withFleet(state, { text: field.text })),
    },
  },
  forms: undefined,
  targets: undefined,

  rows: {
    ...cursorIn("fleet"),
    count: (state) => fleetRows(state).length,
    issues: (state) => fleetRows(state).map(({ at }) => at.uid),
    isRead: ({ fleet: { rows, error } }) => rows !== undefined || error !== undefined,
  },
  issueUnderCursor: (state) => fleetRow(state)?.at.uid,

  isOfProject: true,
  empty,
  emptyActs: ({ fleet: { text, silentOnly } }) =>
    text !== "" || silentOnly
      ? [{ command: "fleet-clear", label: "Clear the filter" }]
      : [GO_TO_BOARD],

  reducer: fleetReducer,
  reads: (state) => (state.screen === "fleet" ? [loadFleet(state)] : []),
  readsAfterEvents: (state, events) =>
    touchesFleet(state, events) ? [loadFleet(state, AFTER_EVENT_MS)] : [],
  withEvents: withLastSeen,
  people: ({ fleet: { lastSeen } }) => [...lastSeen.keys()],
  afterWrites: (state, { changed }) =>
    step(state, ...(changed === "holders" ? [loadFleet(state)] : [])),

  address: undefined,
};

function empty(state: State): Empty | undefined {
  const { rows } = state.fleet;
  if (rows === undefined) return LOADING;
  const key = keysOf(state);
  if (fleetRows(state).length > 0) return undefined;
  if (rows.length > 0)
    return { why: "nobody like that", how: `${key("fleet-clear")} clears the filter`, next: [] };
  return {
    why: "nobody leases an issue or owns an open one",
    byKey: [`${key("board")} is the board: there ${key("assign")} gives an issue to somebody`],
    next: ["an agent takes one: svc next --claim"],
  };
}
