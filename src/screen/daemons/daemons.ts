import { counted } from "../../base/counted.ts";
import { offerDrafts, typedDrafts } from "../forms/drafts.ts";
import { movedInList } from "../forms/list-keys.ts";
import type { Sheet } from "../forms/sheet.ts";
import { keyFor } from "../keymap.ts";
import { initialState, type State } from "../state.ts";
import { hint, type Step, say, step } from "../step.ts";

type Picker = Extract<Sheet, { sheet: "daemons" }>;

export function pickDaemon(state: State): State {
  const at = state.daemons.findIndex(({ name }) => name === state.daemon);
  return { ...state, sheet: { sheet: "daemons", at: Math.max(0, at) } };
}

export function inDaemons(state: State, sheet: Picker, key: string): Step {
  const at = movedInList(key, sheet.at, state.daemons.length);
  if (at !== undefined) return step({ ...state, sheet: { ...sheet, at } });
  return key === "enter"
    ? changeDaemon({ ...state, sheet: undefined }, state.daemons[sheet.at]?.name ?? "")
    : step({ ...state, sheet: undefined });
}

/** Asks for the other daemon; until it answers, everything stays as it is. */
export function changeDaemon(state: State, name: string): Step {
  const daemon = state.daemons.find((known) => known.name === name);
  if (daemon === undefined) return hint(state, `no daemon is called ${name}`);
  if (daemon.name === state.daemon) return hint(state, `${name} is the daemon that is shown`);
  // Nobody would hear what becomes of them.
  if (state.done.some((one) => one.state === "pending"))
    return hint(state, "changes are still on their way to this daemon");
  const said = say(state, `connecting to ${name}...`);
  return { ...said, effects: [...said.effects, { effect: "connect", name }] };
}

/**
 * Nothing of the daemon that was left holds for this one: its issues, what can be undone, what was open. What was typed
 * until it answered is kept for the one that it belongs to.
 */
export function connected(state: State, daemon: string): Step {
  const serial = state.serial + 1;
  const typed = typedDrafts(state);
  const fresh = initialState({
    ...state,
    daemon,
    drafts: [...typed, ...state.drafts],
    scope: undefined,
    open: undefined,
    silentAfterMs: state.fleet.silentAfterMs,
  });
  const { light, notices, keys } = state;
  const next = offerDrafts({ ...fresh, light, notices, serial, scopeSerial: serial });
  const pending = state.done.filter((one) => one.state === "pending").length;
  const left = [
    ...(typed.length === 0 ? [] : ["what was typed waits"]),
    ...(pending === 0 ? [] : [`${counted(pending, "change")} had no answer yet`]),
  ].join(", ");
  const way = `   on ${state.daemon} ${left}: ${keyFor(keys, "daemons")} goes back`;
  return say(next, `connected to ${daemon}${left === "" ? "" : way}`);
}
