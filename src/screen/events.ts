import { instantToMs } from "../base/clock.ts";
import { loadCron, rereadPreview, touchesCron } from "./cron/cron.ts";
import { detailUid, loadDetail } from "./detail/detail.ts";
import type { Touched } from "./detail/state.ts";
import type { Effect } from "./effect.ts";
import { endSilences, FLEET_MS, loadFleet, touchesFleet } from "./fleet/fleet.ts";
import { graphReads, touchesGraph } from "./graph/graph.ts";
import { loadInbox } from "./inbox/inbox.ts";
import { readListAgain } from "./loading/reload.ts";
import type { LiveEvent } from "./message.ts";
import { isFaded } from "./messages/messages.ts";
import { loadProjects, touchesProjects } from "./projects/projects.ts";
import type { Reducer } from "./reducer.ts";
import type { State } from "./state.ts";
import { andThen, type Step, step } from "./step.ts";

/** How long a row that somebody else changed is highlighted. */
const CHANGED_MS = 2000;
/** How long a change by somebody else is shown on the message row. */
const TOUCHED_MS = 60_000;
/** Reads wait this long after an event, so that a burst of events causes one read. */
const INBOX_MS = 150;
const CRON_MS = 500;
const GRAPH_MS = 500;
const PROJECTS_MS = 500;

/** Kinds of events that change a whole project and do not name its issues. */
const PROJECT_KINDS: ReadonlySet<string> = new Set([
  "project.renamed",
  "project.removed",
  "project.restored",
  "project.merged",
  "project.author_rewritten",
]);

export const eventsReducer: Reducer<"events" | "tick" | "aged"> = {
  events: (state, { events }) => onEvents(state, events),
  tick: (state) => rereadPreview(faded(state)),
  // The store sets `now` at each message, and the ages are drawn from it. So there is nothing else to do.
  aged: (state) => step(state),
};

/**
 * Stores the time of each actor's last event, and which issues were changed. Reads again what is shown and may have
 * changed.
 */
export function onEvents(state: State, events: readonly LiveEvent[]): Step {
  const { calm } = state.preferences;
  const lastSeen = new Map(state.fleet.lastSeen);
  const changed = new Map(state.board.changed);
  for (const { actor, at, uids } of events) {
    lastSeen.set(actor, at);
    if (actor !== state.session.actor && !calm) for (const uid of uids) changed.set(uid, state.now);
  }
  const touched = touchedBy(state, events) ?? state.detail.touched;
  const next = endSilences(
    {
      ...state,
      fleet: { ...state.fleet, lastSeen },
      board: { ...state.board, changed },
      detail: { ...state.detail, touched },
    },
    events,
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
  const { graph } = state;
  const isGraph = touchesGraph(
    state,
    events.flatMap(({ uids }) => uids),
  );
  return [
    ...(events.some(touchesInbox) ? [loadInbox(state, INBOX_MS)] : []),
    ...(touchesProjects(state, events) ? [loadProjects(PROJECTS_MS)] : []),
    ...(touchesCron(state, events) ? loadCron(state, CRON_MS) : []),
    ...(touchesFleet(state, events) ? [loadFleet(state, FLEET_MS)] : []),
    ...(isGraph && graph ? graphReads(state, graph, GRAPH_MS) : []),
    ...(isShown ? [loadDetail(state, uid, true)] : []),
  ];
}

/** Events that can change an inbox: requests are metadata of issues, and only the requests of open issues count. */
const INBOX_KINDS: ReadonlySet<string> = new Set([
  "issue.created",
  "issue.metadata_updated",
  "issue.closed",
  "issue.reopened",
  "issue.soft_deleted",
  "issue.restored",
  "issue.moved",
]);

function touchesInbox({ kind }: LiveEvent): boolean {
  return INBOX_KINDS.has(kind) || kind.startsWith("project.");
}

function touchedBy(state: State, events: readonly LiveEvent[]): Touched | undefined {
  const shown = detailUid(state);
  const event = events.findLast(({ uid, actor }) => uid === shown && actor !== state.session.actor);
  if (shown === undefined || event === undefined) return undefined;
  const text = `changed by ${event.actor}: ${event.description}`;
  return { uid: shown, text, at: state.now };
}

/** Whether the last change by somebody else is recent and about the issue that is shown. */
export function isTouched(state: State): boolean {
  const { now } = state;
  const { touched } = state.detail;
  if (touched === undefined || touched.uid !== detailUid(state)) return false;
  return instantToMs(now) - instantToMs(touched.at) < TOUCHED_MS;
}

function faded(state: State): State {
  const { now } = state;
  const { notice } = state.messages;
  const { calm } = state.preferences;
  if (calm) return state;
  const changed = new Map(
    [...state.board.changed].filter(([, at]) => instantToMs(now) - instantToMs(at) < CHANGED_MS),
  );
  const touched = isTouched(state) ? state.detail.touched : undefined;
  return {
    ...state,
    messages: { ...state.messages, notice: isFaded(state) ? undefined : notice },
    board: { ...state.board, changed },
    detail: { ...state.detail, touched },
  };
}
