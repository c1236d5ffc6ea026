import { type Clock, systemClock } from "../src/base/clock.ts";
import { localZone } from "../src/base/zone.ts";
import type { Output } from "../src/contract/route.ts";
import { visibleIssues } from "../src/screen/board/visible-issues.ts";
import { refreshAges } from "../src/screen/effects/ages.ts";
import { type Connection, connectionTo } from "../src/screen/effects/connection.ts";
import { textOf } from "../src/screen/effects/failures.ts";
import type { EventStream } from "../src/screen/effects/live.ts";
import { authOf } from "../src/screen/effects/reads/auth.ts";
import { draftsOf, offerDrafts } from "../src/screen/forms/drafts.ts";
import { initialState } from "../src/screen/initial-state.ts";
import type { Message } from "../src/screen/message.ts";
import { goTo } from "../src/screen/place/go.ts";
import type { Place } from "../src/screen/place/place.ts";
import type { Scope } from "../src/screen/scope/state.ts";
import { SCREENS } from "../src/screen/screens.ts";
import type { State } from "../src/screen/state.ts";
import { createStore, type Store } from "../src/screen/store.ts";
import { update } from "../src/screen/update.ts";
import type { ScreenRoutes, Transport } from "../src/shared/transport.ts";
import { LATER } from "./later.ts";
import { PAGE_KEYS } from "./own-keys.ts";
import { onPage } from "./page-effects.ts";
import { randomId } from "./random-id.ts";
import { type MeasuredIssue, pageFit } from "./room.ts";
import {
  type Keep,
  keptColumns,
  keptViews,
  loadDrafts,
  remember,
  saveDrafts,
  storedValue,
  type Writer,
  withView,
} from "./storage.ts";

export interface StartOptions {
  readonly daemon: Transport;
  readonly stream: EventStream;
  /** Waits until the person can see the page. */
  readonly shown?: (signal: AbortSignal) => Promise<void>;
  readonly keep: Keep;
  readonly actor: string;
  readonly instance: Output<ScreenRoutes["instance"]>;
  /** The address of the page, for links that lead to it. */
  readonly page: string;
  readonly place: Place;
  readonly size: { readonly width: number; readonly height: number };
  /** Whether the person prefers reduced motion: nothing then changes only because time passes. */
  readonly calm: boolean;
  measured(): MeasuredIssue | undefined;
  copy(text: string): Promise<void>;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/** Starts the state of the page and its effects, and follows the daemon's events until the signal is aborted. */
export async function start(options: StartOptions): Promise<Store<Message>> {
  const { daemon, keep, place, signal, clock = systemClock } = options;
  const writer: Writer = { actor: options.actor, daemon: options.instance.instance_uid };
  const { projects } = await daemon.call("listProjects", {});
  const initial = openingState(options, scopeOf(place, keep, projects), clock);
  let connection: Connection | undefined;
  const store = createStore<Message>({
    initial,
    clock,
    update,
    isInput,
    run: (effect) => {
      if (effect.effect !== "connect") connection?.effects.run(effect);
    },
  });
  const { dispatch } = store;
  connection = connectionTo({
    ...{ clock, signal, dispatch, daemon, actor: options.actor, stream: options.stream },
    here: async (effect, own) =>
      await onPage(effect, {
        dispatch: own.dispatch,
        copy: options.copy,
        saveView: (name, query) => withView(keep, name, query),
        saveColumns: (columns) => remember(keep, "columns", columns),
        dropDraft: (id) => {
          const others = loadDrafts(keep, writer).filter((draft) => draft.id !== id);
          saveDrafts(keep, others, writer);
        },
      }),
    load: LATER.work,
    seen: () => visibleIssues(store.get()),
    ...(options.shown === undefined ? {} : { shown: options.shown }),
  });
  void connection.follow().catch((error: unknown) => {
    if (!signal.aborted) dispatch({ type: "failed", text: textOf(error) });
  });
  void refreshAges(store, clock, signal);
  return store;
}

/**
 * Stores the texts that were typed and not sent, so that they are offered at the next visit. Stored drafts of other
 * tabs and of earlier visits are kept. If a draft is open in a form here, the text of the form replaces the draft.
 */
export function keepTyped(keep: Keep, state: State): void {
  const { actor, id: session } = state.session;
  const writer = { actor, daemon: state.connection.daemon };
  const typed = draftsOf(state);
  const open = new Set(typed.map(({ id }) => id));
  const others = loadDrafts(keep, writer).filter(
    ({ id }) => !open.has(id) && !id.startsWith(`${session}-`),
  );
  saveDrafts(keep, [...others, ...typed], writer);
}

function openingState(options: StartOptions, scope: Scope, clock: Clock): State {
  const { keep, actor, instance, place, size, calm, measured } = options;
  const state = initialState({
    actor,
    calm,
    scope,
    fit: pageFit(measured),
    screens: SCREENS,
    columns: size.width,
    rows: size.height,
    now: clock.now(),
    zone: localZone(),
    daemon: instance.instance_uid,
    version: instance.version,
    open: place.issue,
    // Keeps the idempotency keys and drafts of this tab apart from those of other tabs.
    session: randomId(),
    confirmQuit: false,
    keys: PAGE_KEYS,
    listColumns: keptColumns(keep),
    inboxOf: actor,
    page: options.page,
    views: keptViews(keep),
    drafts: loadDrafts(keep, { actor, daemon: instance.instance_uid }),
  });
  const project = place.project ?? scope.project?.name;
  // The effects of `goTo` are not used: they would read the screen, and the page reads everything once it follows the
  // daemon.
  const there = goTo(state, { ...place, project, issue: undefined }).state;
  const { detail } = state;
  const arriving = detail.arriving && { ...detail.arriving, isOpen: place.isOpen };
  // Apply the rules that the daemon has set for this session before the person presses the first key.
  const { quickClose, readOnly } = authOf(instance.auth);
  const connection = { ...there.connection, quickClose, readOnly, onlyReads: readOnly };
  return offerDrafts({ ...there, connection, detail: { ...detail, arriving } });
}

/**
 * Returns the project with which the page starts.
 * - If the address names a project that exists, it is this project.
 * - If the address names a project that does not exist, it is all projects.
 * - If the address names no project, it is the project of the last visit, or else the only project, or else all
 *   projects. The last visit does not count if the address names an issue.
 */
export function scopeOf(
  { project: wanted, issue }: Pick<Place, "project" | "issue">,
  keep: Keep,
  projects: readonly { readonly id: number; readonly name: string }[],
): Scope {
  const last = wanted ?? (issue === undefined ? storedValue(keep, "project") : undefined);
  const named = projects.find(({ name }) => name === last);
  const [only, second] = projects;
  const isOnly = wanted === undefined && second === undefined;
  const project = named ?? (isOnly ? only : undefined);
  return { project: project && { id: project.id, name: project.name } };
}

const INPUTS: ReadonlySet<Message["type"]> = new Set([
  ...(["key", "paste", "burst", "typed", "chosen", "scrolled", "resize", "went"] as const),
]);

/** Whether a message comes from the person. Such a message is drawn at once; other messages are drawn together. */
function isInput({ type }: Message): boolean {
  return INPUTS.has(type);
}
