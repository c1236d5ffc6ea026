import type { CommandHandler, CommandHandlers } from "../command.ts";
import { stateCommand, writeCommand } from "../commands/command-handler.ts";
import { openIssue } from "../detail/detail.ts";
import { fieldOf } from "../field.ts";
import { promptDialog } from "../forms/dialog.ts";
import { hint } from "../messages/messages.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import type { Write } from "../writes/writes.ts";
import { fleetRow, openFleet, whyNoHolder, withFleet } from "./fleet.ts";
import { toFleetLane } from "./lanes.ts";
import type { FleetRow } from "./state.ts";

const onHolder = (run: (state: State, row: FleetRow) => Step): CommandHandler => ({
  run: (state) => {
    const row = fleetRow(state);
    return row === undefined ? step(state) : run(state, row);
  },
  why: whyNoHolder,
});

const noLease = (state: State): string | undefined =>
  whyNoHolder(state) ??
  (fleetRow(state)?.lease === undefined ? "nobody leases it: A takes the owner off" : undefined);

/** Taking a lease away is confirmed by typing the issue's name. */
function confirm(state: State, { at }: FleetRow, text: string, write: Write): Step {
  const field = fieldOf("");
  const dialog = { dialog: "type", text, expected: at.name, field, writes: [write] } as const;
  return step({ ...state, dialog });
}

const toSide = (by: 1 | -1): CommandHandler =>
  onHolder((state) => {
    const next = toFleetLane(state, by);
    const where = by === 1 ? "after" : "before";
    return next === undefined ? hint(state, `no holder comes ${where} this one`) : step(next);
  });

export const FLEET_COMMANDS = {
  fleet: { run: openFleet },
  "fleet-open": onHolder((state, { at }) => openIssue(state, at.uid)),
  "fleet-left": toSide(-1),
  "fleet-right": toSide(1),
  "fleet-message": writeCommand(
    onHolder((state, { at, holder }) => {
      const label = `message to ${holder} about ${at.name}`;
      const more = { uids: [at.uid], before: holder, about: at };
      return step({ ...state, dialog: promptDialog("message", label, more) });
    }),
  ),
  "fleet-release": writeCommand({
    ...onHolder((state, row) => {
      const reason = `released by ${state.session.actor} from the board`;
      const text = `end the lease that ${row.holder} has of ${row.at.name} "${row.title}"`;
      return confirm(state, row, text, { act: "release", at: row.at, reason });
    }),
    why: noLease,
  }),
  "fleet-steal": writeCommand(
    onHolder((state, row) => {
      const reason = `taken over by ${state.session.actor} from the board`;
      const from = row.lease === undefined ? "" : ` from ${row.holder}`;
      const text = `take the lease of ${row.at.name} "${row.title}"${from}`;
      return confirm(state, row, text, { act: "steal", at: row.at, reason });
    }),
  ),
  "fleet-filter": { run: askHolders },
  "fleet-silent": stateCommand((state) =>
    withFleet(state, { silentOnly: !state.fleet.silentOnly }),
  ),
  "fleet-clear": {
    ...stateCommand((state) => withFleet(state, { text: "", silentOnly: false })),
    why: ({ fleet: { text, silentOnly } }) =>
      text === "" && !silentOnly ? "no filter is set" : undefined,
  },
} satisfies CommandHandlers;

export function askHolders(state: State): Step {
  const { text: before, rows = [] } = state.fleet;
  const choices = [...new Set(rows.map(({ holder }) => holder))].sort();
  const more = { text: before, before, choices };
  return step({ ...state, dialog: promptDialog("holders", "holder, project or words", more) });
}
