import { instantToMs } from "../base/clock.ts";
import { detailUid, loadDetail } from "./detail/detail.ts";
import type { RecentChange } from "./detail/state.ts";
import type { Effect } from "./effect.ts";
import { readListAgain } from "./loading/reload.ts";
import type { LiveEvent } from "./message.ts";
import { isFaded } from "./messages/messages.ts";
import type { Reducer } from "./reducer.ts";
import { type State, withSlice } from "./state.ts";
import { andThen, type Step, step } from "./step.ts";

/** How long a row that somebody else changed is highlighted. */
export const CHANGED_MS = 2000;
/** How long a change by somebody else is shown on the message row. */
const TOUCHED_MS = 60_000;
/** Kinds of events that change a whole project and do not name its issues. */
const PROJECT_KINDS: ReadonlySet<string> = new Set([
  "project.renamed",
  "project.removed",
  "project.restored",
  "project.merged",
  "project.author_rewritten",
  "project.federation_enabled",
]);

export const eventsReducer: Reducer<"events" | "tick" | "aged"> = {
  events: (state, { events }) => onEvents(state, events),
  tick: (state) => onTick(faded(state)),
  // The store sets `now` at each message, and the ages are drawn from it. So there is nothing else to do.
  aged: (state) => step(state),
};

/**
 * Processes events: stores which issues have changed and when each actor was last active. Reads again what is shown and
 * may have changed.
 */
export function onEvents(state: State, events: readonly LiveEvent[]): Step {
  const { calm } = state.preferences;
  const touched = touchedBy(state, events) ?? state.detail.touched;
  const next = state.screens.reduce(
    (now, { withEvents }) => withEvents?.(now, events) ?? now,
    withSlice(state, "detail", { touched }),
  );
  const read = step(
    next,
    ...(calm ? [] : [{ effect: "wake" as const, ms: CHANGED_MS }]),
    ...(calm || touched === state.detail.touched
      ? []
      : [{ effect: "wake" as const, ms: TOUCHED_MS }]),
    ...readsOf(next, events),
  );
  return events.some(changesProject) ? andThen(read, readListAgain) : read;
}

function changesProject({ kind }: LiveEvent): boolean {
  return PROJECT_KINDS.has(kind);
}

function readsOf(state: State, events: readonly LiveEvent[]): readonly Effect[] {
  const uid = detailUid(state);
  const isShown =
    uid !== undefined && events.some((event) => event.uids.includes(uid) || changesProject(event));
  return [
    ...state.screens.flatMap((screen) => screen.readsAfterEvents(state, events)),
    ...(isShown ? [loadDetail(state, uid, true)] : []),
  ];
}

function touchedBy(state: State, events: readonly LiveEvent[]): RecentChange | undefined {
  const shown = detailUid(state);
  const event = events.findLast(({ uid, actor }) => uid === shown && actor !== state.session.actor);
  if (shown === undefined || event === undefined) return undefined;
  const text = `changed by ${event.actor}: ${event.description}`;
  return { uid: shown, text, at: state.now };
}

/** Whether the last change by somebody else is recent and about the issue that is shown. */
export function isRecentlyChanged(state: State): boolean {
  const { now } = state;
  const { touched } = state.detail;
  if (touched === undefined || touched.uid !== detailUid(state)) return false;
  return instantToMs(now) - instantToMs(touched.at) < TOUCHED_MS;
}

function faded(state: State): State {
  if (state.preferences.calm) return state;
  const { notice } = state.messages;
  const touched = isRecentlyChanged(state) ? state.detail.touched : undefined;
  return {
    ...state,
    messages: { ...state.messages, notice: isFaded(state) ? undefined : notice },
    detail: { ...state.detail, touched },
  };
}

function onTick(state: State): Step {
  return state.screens.reduce(
    (all, { onTick }) => (onTick ? andThen(all, onTick) : all),
    step(state),
  );
}
