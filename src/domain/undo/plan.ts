import { isPlainObject, type JsonValue, sameJson } from "../../base/json.ts";
import { addTo } from "../../base/lists.ts";
import type { StoredEvent } from "../../contract/events.ts";
import { SYSTEM_ACTOR } from "../../contract/reserved-actors.ts";
import type { UndoMark } from "../drafts/draft.ts";
import { writerOf } from "../federation/bound-actor.ts";
import { SLOT_PREFIX } from "../inbox/slot.ts";
import type { MemoryState } from "../memory.ts";
import {
  type Facet,
  type FacetValue,
  foldOver,
  keyOf,
  parentSet,
  type UndoHistory,
  valueOf,
  type Write,
} from "./facets.ts";
import { undoingOf } from "./kinds.ts";

export function undoMarkOf(event: Pick<StoredEvent, "payload">): UndoMark | undefined {
  const { undo } = event.payload as { readonly undo?: JsonValue };
  if (!isPlainObject(undo)) return undefined;
  const { batch_uid, events, import: batch, again } = undo;
  if (typeof batch_uid !== "string" || !Array.isArray(events)) return undefined;
  return {
    batch_uid,
    events: events.filter((uid) => typeof uid === "string"),
    ...(typeof batch === "string" ? { import: batch } : {}),
    ...(again === true ? { again } : {}),
  };
}

/**
 * A change that the undo makes: it changes the facet from its current value (`from`) to the value that it would have
 * without the chosen events (`to`).
 */
export interface Revert {
  readonly facet: Facet;
  readonly from: FacetValue;
  readonly to: FacetValue;
  /** The chosen events that changed the facet. */
  readonly events: readonly StoredEvent[];
}

/** A facet that the chosen `event` changed and that events outside of the undo (`later`) changed afterwards. */
export interface BuiltOn {
  readonly facet: Facet;
  readonly event: StoredEvent;
  readonly later: readonly StoredEvent[];
}

export interface UndoPlan {
  readonly reverts: readonly Revert[];
  readonly builtOn: readonly BuiltOn[];
  /** Chosen events that were undone before, with the batch of that undo. */
  readonly undone: ReadonlyMap<number, string>;
  /** The current rows. */
  readonly now: MemoryState;
  /** The rows as they would be without the chosen events. */
  readonly without: MemoryState;
}

/**
 * Plans the undo of the chosen events. `whole` has the whole history of everything that they changed.
 * - If a chosen event was the last to change a facet, the facet gets the value that it would have without the chosen
 *   events.
 * - A later change of the facet by an event that was not chosen is a conflict, unless the facet has its old value
 *   again.
 * - A snapshot that changed nothing only repeats what earlier events did, so it does not keep the value of a chosen
 *   event.
 * - An issue that a chosen event created is deleted. Any later work on this issue by events that were not chosen is a
 *   conflict.
 *
 * A large undo is carried out in portions. `before` has the chosen events of earlier portions, which are never
 * conflicts. Issues in `kept` are not deleted although chosen events created them, so links to them are undone like any
 * others.
 */
export function planUndo(
  whole: UndoHistory,
  chosen: ReadonlySet<number>,
  before: ReadonlySet<number> = new Set(),
  kept: ReadonlySet<string> = new Set(),
): UndoPlan {
  const { events } = whole;
  const all = new Set([...chosen, ...before]);
  const { undone, settled, goneWith } = alreadyUndone(events, all);
  const isChosen = (event: StoredEvent): boolean => all.has(event.id) && !undone.has(event.id);
  const isAsked = (event: StoredEvent): boolean => isChosen(event) && chosen.has(event.id);
  const history = new Map<string, Write[]>();
  const writing = new Set<number>();
  const now = foldOver(whole, events, (write) => {
    writing.add(write.event.id);
    if (settled.has(write.event.id)) return;
    addTo(history, keyOf(write.facet), write);
  });
  const without = foldOver(
    whole,
    events.filter(
      (event) =>
        !isChosen(event) &&
        !settled.has(event.id) &&
        (event.type !== "issue.snapshot" || writing.has(event.id)),
    ),
  );
  const isGone = ({ id }: StoredEvent): boolean => {
    const uid = goneWith.get(id);
    return uid !== undefined && now.issue(uid)?.deleted_at !== null;
  };
  const places = new Map(events.map(({ uid }, at) => [uid, at]));
  const plan = { places, isChosen, isGone, history: [...history.values()], now, without };
  const created = new Map([...createdBy(plan)].filter(([uid]) => !kept.has(uid)));
  const about = writesAbout(plan.history, created);
  const found = [...created]
    .filter(([, event]) => isAsked(event))
    .map(([uid]) => outcomeOfIssue(plan, uid, about.get(uid) ?? []));
  for (const writes of plan.history) {
    const [first] = writes;
    if (first === undefined || comesWith(first.facet, created, plan)) continue;
    if (writes.some(({ event }) => isAsked(event))) found.push(outcomeOfFacet(plan, writes));
  }
  const outcomesOf = <K extends "revert" | "builtOn">(kind: K) =>
    found.flatMap((each) => (each !== undefined && kind in each ? [each[kind]] : []));
  return {
    reverts: outcomesOf("revert").filter((revert) => revert !== undefined),
    builtOn: outcomesOf("builtOn").filter((conflict) => conflict !== undefined),
    undone: new Map([...undone].filter(([id]) => chosen.has(id))),
    now,
    without,
  };
}

interface PlanContext {
  /** The place of each event in the order of the fold, by uid. */
  readonly places: ReadonlyMap<string, number>;
  readonly isChosen: (event: StoredEvent) => boolean;
  /** True if the event was undone together with the creation of its issue, which is still deleted. */
  readonly isGone: (event: StoredEvent) => boolean;
  readonly history: readonly (readonly Write[])[];
  readonly now: MemoryState;
  readonly without: MemoryState;
}

type Outcome =
  | { readonly revert: Revert; readonly builtOn?: undefined }
  | { readonly builtOn: BuiltOn; readonly revert?: undefined }
  | undefined;

/**
 * Finds the chosen events that were undone before. An undo and the events that it undid cancel out, unless another undo
 * has undone the first one. So the log is read backwards, from the last undo on. Two kinds of undo count as ordinary
 * events:
 * - an undo that is itself chosen
 * - an undo that deleted an issue by undoing its creation, because somebody may have restored the issue
 */
function alreadyUndone(events: readonly StoredEvent[], chosen: ReadonlySet<number>) {
  const created = new Set(
    events.flatMap(({ type, uid }) => (type === "issue.created" ? [uid] : [])),
  );
  const takenBack = new Map<string, TakenBack>();
  const undone = new Map<number, string>();
  const goneWith = new Map<number, string>();
  const settled = new Set<number>();
  for (const event of events.toReversed()) {
    const taken = takenBack.get(event.uid);
    if (taken !== undefined) {
      if (taken.isSettled) settled.add(event.id);
      if (!taken.isSettled) goneWith.set(event.id, taken.issue_uid);
      if (chosen.has(event.id)) undone.set(event.id, taken.batch_uid);
      continue;
    }
    const mark = chosen.has(event.id) ? undefined : undoMarkOf(event);
    if (mark === undefined) continue;
    const { batch_uid } = mark;
    const cancels = !mark.events.some((uid) => created.has(uid));
    if (cancels) settled.add(event.id);
    for (const uid of mark.events)
      takenBack.set(uid, {
        batch_uid,
        issue_uid: event.issue_uid ?? "",
        isSettled: cancels || takenBack.get(uid)?.isSettled === true,
      });
  }
  return { undone, settled, goneWith };
}

interface TakenBack {
  readonly batch_uid: string;
  /** The issue of the undoing event. */
  readonly issue_uid: string;
  /** True if the undo and the undone event cancel out. False if the undo deleted the issue by undoing its creation. */
  readonly isSettled: boolean;
}

function createdBy({ history, isChosen }: PlanContext): ReadonlyMap<string, StoredEvent> {
  const created = new Map<string, StoredEvent>();
  for (const writes of history) {
    const [first] = writes;
    if (first?.facet.of !== "issue" || first.facet.field !== "exists") continue;
    if (isChosen(first.event)) created.set(first.facet.uid, first.event);
  }
  return created;
}

/**
 * True if the facet belongs to an issue that the undo deletes. Such a facet disappears with the issue, and returns when
 * the issue is restored.
 */
function comesWith(
  facet: Facet,
  created: ReadonlyMap<string, StoredEvent>,
  { now, without }: PlanContext,
): boolean {
  if (created.has(facet.uid)) return true;
  if (facet.of === "link") return created.has(facet.peer);
  if (facet.of !== "parent" || parentSet(without, facet.uid) !== undefined) return false;
  return created.has(parentSet(now, facet.uid)?.to_uid ?? "");
}

/** For each created issue: the changes of the issue and of its links, in order of the history. */
function writesAbout(
  history: PlanContext["history"],
  created: ReadonlyMap<string, StoredEvent>,
): ReadonlyMap<string, readonly Write[]> {
  const about = new Map<string, Write[]>([...created.keys()].map((uid) => [uid, []]));
  for (const write of history.flat()) {
    for (const uid of new Set(namedBy(write))) about.get(uid)?.push(write);
  }
  return about;
}

function namedBy({ facet, before, after }: Write): readonly string[] {
  if (facet.of === "link") return [facet.uid, facet.peer];
  if (facet.of !== "parent") return [facet.uid];
  return [facet.uid, ...[before, after].filter((end) => typeof end === "string")];
}

function outcomeOfIssue(
  { places, isChosen, isGone, now }: PlanContext,
  uid: string,
  about: readonly Write[],
): Outcome {
  if (now.issue(uid)?.deleted_at !== null) return undefined;
  const [own, others] = [
    about.filter(({ event }) => isChosen(event)),
    about.filter(({ event, facet }) => {
      return !isChosen(event) && !isGone(event) && isWork(event, facet);
    }),
  ];
  const facet: Facet = { of: "issue", uid, field: "exists" };
  const events = eventsOf(places, own);
  const [event] = events;
  if (event === undefined) return undefined;
  if (others.length > 0) return { builtOn: { facet, event, later: eventsOf(places, others) } };
  return { revert: { facet, from: true, to: undefined, events } };
}

/**
 * True if the change is work on the issue. The creation of an issue cannot be undone if events outside of the undo are
 * work on it. A lease, a merge of its project, a rewritten author and the daemon's automatic request about a planning
 * date are not work.
 */
function isWork(event: StoredEvent, facet: Facet): boolean {
  if (facet.of === "lease" || event.type.startsWith("project.")) return false;
  const isRequest = facet.of === "metadata" && facet.key.startsWith(SLOT_PREFIX);
  return !(isRequest && writerOf(event) === SYSTEM_ACTOR);
}

function outcomeOfFacet(
  { places, isChosen, now, without }: PlanContext,
  writes: readonly Write[],
): Outcome {
  const first = writes.findIndex(({ event }) => isChosen(event));
  const [start, last] = [writes[first], writes.at(-1)];
  if (start === undefined || last === undefined) return undefined;
  const { facet } = last;
  const [from, to] = [valueOf(now, facet), valueOf(without, facet)];
  if (!isChosen(last.event)) {
    // A later lease is no conflict, since it can begin only after the earlier one has ended.
    if (facet.of === "lease" || sameJson(from, start.before)) return undefined;
    const later = writes.slice(first).filter(({ event }) => !isChosen(event));
    if (
      facet.of !== "series" ||
      !later.every(({ event }) => isKeptOf(writerOf(start.event), event))
    )
      return { builtOn: { facet, event: start.event, later: eventsOf(places, later) } };
  }
  const own = writes.filter(({ event }) => isChosen(event));
  return sameJson(from, to)
    ? undefined
    : { revert: { facet, from, to, events: eventsOf(places, own) } };
}

/**
 * Whether the event is a change of the series' rule by this actor. Such a change is no conflict: it stays, and the
 * series goes on with the changed rule.
 */
function isKeptOf(writer: string, event: StoredEvent): boolean {
  return writerOf(event) === writer && undoingOf(event) !== "rows";
}

/** Returns the events of the writes once each, in the order of the fold. */
function eventsOf(places: PlanContext["places"], writes: readonly Write[]): readonly StoredEvent[] {
  const events = new Map(writes.map(({ event }) => [event.uid, event]));
  const placeOf = ({ uid }: StoredEvent): number => places.get(uid) ?? 0;
  return [...events.values()].sort((left, right) => placeOf(left) - placeOf(right));
}
