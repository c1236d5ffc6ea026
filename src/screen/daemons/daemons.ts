import { counted } from "../../base/counted.ts";
import type { Dialog } from "../forms/dialog.ts";
import { offerDrafts, typedDrafts } from "../forms/drafts.ts";
import { movedInList } from "../forms/list-keys.ts";
import { initialState } from "../initial-state.ts";
import { keyFor } from "../keymap.ts";
import { hint, say } from "../messages/messages.ts";
import type { Start } from "../start.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";

type Picker = Extract<Dialog, { dialog: "daemons" }>;

export function pickDaemon(state: State): State {
  const at = state.connection.daemons.findIndex(({ name }) => name === state.connection.daemon);
  return { ...state, dialog: { dialog: "daemons", at: Math.max(0, at) } };
}

export function onDaemonsKey(state: State, dialog: Picker, key: string): Step {
  const at = movedInList(key, dialog.at, state.connection.daemons.length);
  if (at !== undefined) return step({ ...state, dialog: { ...dialog, at } });
  return key === "enter"
    ? changeDaemon({ ...state, dialog: undefined }, state.connection.daemons[dialog.at]?.name ?? "")
    : step({ ...state, dialog: undefined });
}

/** Connects to another daemon. The screen does not change until that daemon answers. */
export function changeDaemon(state: State, name: string): Step {
  const daemon = state.connection.daemons.find((known) => known.name === name);
  if (daemon === undefined) return hint(state, `no daemon is called ${name}`);
  if (daemon.name === state.connection.daemon)
    return hint(state, `${name} is the daemon that is shown`);
  // Changing the daemon now would lose the answers to the writes in flight.
  if (state.writes.sent.some((one) => one.state === "pending"))
    return hint(state, "changes are still on their way to this daemon");
  const next = say(state, `connecting to ${name}...`);
  return { ...next, effects: [...next.effects, { effect: "connect", name }] };
}

/**
 * Drops all data of the old daemon: issues, undo steps, open issues. Typed forms are kept as drafts for the old daemon.
 */
export function onConnected(state: State, daemon: string, actor: string): Step {
  const serial = state.session.serial + 1;
  const typed = typedDrafts(state);
  const { fit, screens, now, preferences, session, window, connection } = state;
  const fresh = initialState({
    ...{ ...preferences, ...connection, ...window, ...session },
    ...{ fit, screens, now, daemon, actor, scope: undefined, open: undefined },
    session: session.id,
    inboxOf: actor,
    views: [],
    drafts: [...typed, ...state.writes.drafts],
    ...carriedOver(state, actor),
  });
  const { light } = preferences;
  const next = offerDrafts({
    ...fresh,
    preferences: { ...fresh.preferences, light },
    messages: { ...fresh.messages, all: state.messages.all },
    session: { ...fresh.session, serial },
    loading: { ...fresh.loading, serial },
  });
  const pending = state.writes.sent.filter((one) => one.state === "pending").length;
  const left = [
    ...(typed.length === 0 ? [] : ["what was typed waits"]),
    ...(pending === 0 ? [] : [`${counted(pending, "change")} had no answer yet`]),
  ].join(", ");
  const way = `   on ${state.connection.daemon} ${left}: ${keyFor(state, "daemons")} goes back`;
  return say(next, `connected to ${daemon}${left === "" ? "" : way}`);
}

/** The data that the screens keep when the daemon changes. */
function carriedOver(state: State, actor: string): Partial<Start> {
  const kept = state.screens.map((screen) => screen.carriedOver?.(state, actor) ?? {});
  return Object.assign({}, ...kept);
}
