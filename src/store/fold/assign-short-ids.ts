import { invariant } from "../../base/invariant.ts";
import { addTo } from "../../base/lists.ts";
import type { AssignedIds, EventKind, StoredEvent } from "../../contract/events.ts";
import { mergedIdsOf } from "../../domain/evolve/places.ts";
import { assignedId, shortIdsFrom } from "../../domain/short-id.ts";
import type { IssueRow } from "../../domain/state.ts";
import { load } from "../load/load.ts";
import type { Loaded } from "../load/loaded.ts";
import { issues } from "../repos/issues.ts";
import { putRow, putRows } from "../rows/table-rows.ts";
import type { FoldContext } from "./context.ts";
import { hubIdOf, keepAssigned, reassign, spentAmong } from "./short-id-holders.ts";

/**
 * Decides which short ids the issues of arriving events get. An event from elsewhere may name a short id that another
 * issue of the project has, had before it moved, or had until it was purged. The issue that was here first keeps the
 * short id, and the other issue gets its next longer form. In a copy of a hub's project, the issue that the hub knew
 * first keeps it: an issue of this daemon that the hub did not know loses it to an issue from the hub. A short id in a
 * snapshot of the hub takes precedence over a decision made here.
 *
 * The decision is stored with the event (`assigned_ids`), so that every later fold, in any order, gives the same short
 * ids. Call this before the events are folded, when the rows that they touch are loaded.
 */
export async function assignShortIds(
  context: FoldContext,
  events: readonly StoredEvent[],
): Promise<Decided> {
  const names = events.map((event) => namesIn(context.loaded, event));
  if (names.every((some) => some.length === 0)) return { events, displaced: new Map() };
  const arrivals = new Arrivals(context);
  await arrivals.lookUp(names.flat());
  const decided: StoredEvent[] = [];
  for (const [at, event] of events.entries()) {
    const assigned_ids = await arrivals.add(names[at] ?? []);
    if (assigned_ids !== undefined) await keepAssigned(context.connection, event.id, assigned_ids);
    decided.push(assigned_ids === undefined ? event : { ...event, assigned_ids });
  }
  return {
    events: decided.map((event) => arrivals.corrected(event)),
    displaced: arrivals.displaced,
  };
}

/** The kinds of events that give an issue a short id in a project, or take one away. */
const NAMING: ReadonlySet<EventKind> = new Set([
  "issue.created",
  "issue.snapshot",
  "issue.moved",
  "project.merged",
  "project.federation_enabled",
]);

/** Whether `assignShortIds` has anything to decide about such an event. */
export function namesShortId({ type }: Pick<StoredEvent, "type">): boolean {
  return NAMING.has(type);
}

/** The events with the short ids that their issues get. */
interface Decided {
  readonly events: readonly StoredEvent[];
  /** By issue: the new short id of an issue that loses its own. Undefined if one of the events names the new one. */
  readonly displaced: ReadonlyMap<string, string | undefined>;
}

/** A short id that an event names for an issue in a project. */
interface Name {
  readonly uid: string;
  readonly project_uid: string;
  readonly wanted: string;
  /** Whether the event creates the issue, takes it out of the project or brings it there, or only spends the id. */
  readonly by: "create" | "leave" | "enter" | "spend";
  /** Only for events that create an issue or begin a baseline: their id here and, if from a hub, their id there. */
  readonly event_id?: number;
  readonly hub_event_id?: number | undefined;
  /** Whether the event is a snapshot. The hub's snapshots say which short id the issue has. */
  readonly isSnapshot?: boolean;
  /** The project that is merged away, whose spent short ids stay spent. */
  readonly merged_uid?: string;
}

function namesIn(loaded: Loaded, event: StoredEvent): readonly Name[] {
  if (event.type === "issue.created" || event.type === "issue.snapshot") {
    const { uid, short_id } = event.payload;
    const { id: event_id, project_uid, hub_event_id } = event;
    const isSnapshot = event.type === "issue.snapshot";
    const hub = { event_id, hub_event_id, isSnapshot };
    return [{ uid, project_uid, wanted: short_id, by: "create", ...hub }];
  }
  if (event.type === "project.federation_enabled") return spentIn(event);
  if (event.type === "issue.moved") {
    const { payload, issue_uid: uid = "" } = event;
    if (loaded.issue(uid) === undefined) return [];
    const { from_project_uid, from_short_id, to_project_uid, to_short_id } = payload;
    return [
      { uid, project_uid: from_project_uid, wanted: from_short_id, by: "leave" },
      { uid, project_uid: to_project_uid, wanted: to_short_id, by: "enter" },
    ];
  }
  if (event.type !== "project.merged") return [];
  const { project_uid, payload } = event;
  const wanted = mergedIdsOf(event);
  return loaded.issuesOf(payload.source_uid).map((issue) => ({
    ...{ uid: issue.uid, project_uid, wanted: wanted(issue), by: "enter" },
    merged_uid: payload.source_uid,
  }));
}

/** Returns short ids that the hub never assigns again. An issue of this daemon may still have one of them. */
function spentIn({
  id: event_id,
  project_uid,
  hub_event_id,
  payload,
}: StoredEvent<"project.federation_enabled">): readonly Name[] {
  if (hub_event_id === undefined) return [];
  const former = payload.former_short_ids.map(({ short_id }) => short_id);
  return [...payload.spent_short_ids, ...former].map((wanted) => ({
    ...{ uid: "", project_uid, wanted, by: "spend", event_id, hub_event_id },
  }));
}

/** Gives short ids to the issues of events that arrive together. The rows are written after the last event. */
class Arrivals {
  readonly #context: FoldContext;
  /** Short ids that were found to be free in one query, and short ids that their issues have given up. */
  readonly #free = new Set<string>();
  /** By project and short id: the issue that got the short id by these events. */
  readonly #owners = new Map<string, string>();
  readonly #created = new Map<string, Pick<IssueRow, "project_uid" | "short_id">>();
  /** By issue: the id on the hub of the event that created the issue. */
  readonly #hubIds = new Map<string, number>();
  readonly #displaced = new Map<string, string | undefined>();

  constructor(context: FoldContext) {
    this.#context = context;
  }

  /**
   * Finds out with one query which of several wanted short ids are free. A single one is looked up when it is assigned,
   * which is faster.
   */
  async lookUp(names: readonly Name[]): Promise<void> {
    const { connection, loaded } = this.#context;
    const unknown = new Map<string, string[]>();
    for (const { uid, project_uid, wanted, by } of names) {
      const gets = by === "enter" || (by === "create" && loaded.issue(uid) === undefined);
      if (gets && !loaded.free.has(project_uid, wanted, uid)) addTo(unknown, project_uid, wanted);
    }
    for (const [project_uid, ids] of unknown) {
      if (ids.length === 1) continue;
      const taken = await issues(connection).takenShortIds([project_uid], ids);
      for (const id of ids) if (!taken.has(id)) this.#free.add(keyOf(project_uid, id));
    }
  }

  /** Returns the short ids of the issues of one event that differ from those in its payload. */
  async add(names: readonly Name[]): Promise<AssignedIds | undefined> {
    const assigned = new Map<string, Record<string, string>>();
    await this.#spendAll(names.filter(({ by }) => by === "spend"));
    for (const name of names) {
      const { uid, project_uid, wanted } = name;
      if (name.by === "spend") continue;
      const short_id = await this.#shortIdOf(name);
      if (short_id !== wanted) assigned.set(uid, { ...assigned.get(uid), [project_uid]: short_id });
    }
    return assigned.size === 0 ? undefined : Object.fromEntries(assigned);
  }

  async #shortIdOf(name: Name): Promise<string> {
    const { uid, project_uid, wanted, by } = name;
    const { loaded } = this.#context;
    const known = this.#created.get(uid) ?? loaded.issue(uid);
    if (by === "create" && name.hub_event_id !== undefined && !this.#hubIds.has(uid))
      this.#hubIds.set(uid, name.hub_event_id);
    if (known?.project_uid === project_uid) {
      const isSaidByHub = name.isSnapshot === true && name.hub_event_id !== undefined;
      if (!isSaidByHub || known.short_id === wanted) return known.short_id;
      await this.#setAside(uid);
    } else if (by === "leave" || (by === "create" && known !== undefined)) return wanted;
    for (const short_id of shortIdsFrom(uid, wanted)) {
      if (!(await this.#isFreeFor(name, short_id))) continue;
      this.#owners.set(keyOf(project_uid, short_id), uid);
      loaded.free.take(project_uid, short_id);
      if (by === "create") this.#created.set(uid, { project_uid, short_id });
      return short_id;
    }
    invariant(false, "no other issue gets a whole uid as its short id");
  }

  /** Whether no other issue has the short id, or its holder has just lost it to this issue (`#displaceHolder`). */
  async #isFreeFor(name: Name, short_id: string): Promise<boolean> {
    if (await this.#isFree(name, short_id)) return true;
    const isSnapshot = name.isSnapshot === true && short_id === name.wanted;
    return await this.#displaceHolder({ ...name, wanted: short_id, isSnapshot });
  }

  /** Marks short ids of one project as spent (never assigned again). Most are unknown here, or spent already. */
  async #spendAll(names: readonly Name[]): Promise<void> {
    const [first] = names;
    if (first === undefined) return;
    const { connection, loaded } = this.#context;
    const { project_uid } = first;
    const spent = await spentAmong(connection, project_uid, wantedBy(names));
    const rest = names.filter(({ wanted }) => !spent.has(wanted));
    const taken = await issues(connection).takenShortIds([project_uid], wantedBy(rest));
    const isHeld = ({ wanted }: Name): boolean =>
      taken.has(wanted) || this.#owners.has(keyOf(project_uid, wanted));
    const fresh = wantedBy(rest.filter((name) => !isHeld(name)));
    for (const short_id of fresh) loaded.free.take(project_uid, short_id);
    const rows = fresh.map((short_id) => ({ project_uid, short_id }));
    await putRows(connection, "spent_id", rows);
    for (const name of rest.filter(isHeld)) await this.#spend(name);
  }

  /** Marks the short id as spent. An issue that has it gets its next longer form. */
  async #spend(name: Name): Promise<void> {
    const { connection, loaded } = this.#context;
    const { project_uid, wanted: short_id } = name;
    loaded.free.take(project_uid, short_id);
    await this.#displaceHolder(name);
    const isFormer = await issues(connection).findByFormerId(project_uid, short_id);
    if (isFormer === undefined) await putRow(connection, "spent_id", { project_uid, short_id });
  }

  /**
   * Gives the holder of the short id its next longer form, if the hub knew this issue later than the event or does not
   * know it. Another issue may have that form; the same then holds for it. Returns false if the short id stays taken.
   */
  async #displaceHolder(name: Name): Promise<boolean> {
    const { event_id = 0, hub_event_id, project_uid, wanted } = name;
    if (hub_event_id === undefined) return false;
    const { connection, loaded, unfoldedFrom: before = event_id } = this.#context;
    const key = keyOf(project_uid, wanted);
    const stored = await issues(connection).findByShortId(project_uid, wanted);
    const holder = this.#owners.get(key) ?? stored?.uid;
    if (holder === undefined || holder === name.uid) return false;
    const hubId = this.#hubIds.get(holder) ?? (await hubIdOf(connection, holder));
    const isKept = name.isSnapshot !== true && name.by !== "spend" && hubId <= hub_event_id;
    if (isKept) return false;
    this.#owners.delete(key);
    const leaving: Name = { ...{ uid: holder, project_uid, wanted }, by: "create", event_id };
    for (const longer of shortIdsFrom(holder, wanted)) {
      if (longer === wanted) continue;
      if (!(await this.#isFreeFor({ ...leaving, hub_event_id: hubId }, longer))) continue;
      this.#owners.set(keyOf(project_uid, longer), holder);
      this.#created.set(holder, { project_uid, short_id: longer });
      await reassign(connection, { uid: holder, project_uid, before }, longer);
      await load(connection, loaded, { issues: [holder] });
      this.#displaced.set(holder, longer);
      return true;
    }
    invariant(false, "no other issue gets a whole uid as its short id");
  }

  /** Frees the short id of an issue that gets another one: no two rows may ever have the same short id. */
  async #setAside(uid: string): Promise<void> {
    const known = this.#created.get(uid) ?? this.#context.loaded.issue(uid);
    if (known !== undefined) {
      const key = keyOf(known.project_uid, known.short_id);
      this.#owners.delete(key);
      this.#free.add(key);
    }
    this.#displaced.set(uid, undefined);
  }

  get displaced(): ReadonlyMap<string, string | undefined> {
    return this.#displaced;
  }

  /** Returns the event with the short id that the issue it creates has after all events of the arrival. */
  corrected(event: StoredEvent): StoredEvent {
    if (event.type !== "issue.created" && event.type !== "issue.snapshot") return event;
    if (event.issue_uid === undefined) return event;
    const { issue_uid, project_uid, payload } = event;
    const known = this.#created.get(issue_uid);
    const short_id = assignedId(event, issue_uid, project_uid) ?? payload.short_id;
    if (known?.project_uid !== project_uid || known.short_id === short_id) return event;
    const assigned_ids = { [issue_uid]: { [project_uid]: known.short_id } };
    return { ...event, assigned_ids };
  }

  async #isFree(
    { uid, project_uid, wanted, merged_uid }: Name,
    short_id: string,
  ): Promise<boolean> {
    const { connection, loaded } = this.#context;
    if (merged_uid !== undefined && short_id !== wanted) {
      if (await issues(connection).shortIdTaken(merged_uid, short_id, uid)) return false;
    }
    const key = keyOf(project_uid, short_id);
    const owner = this.#owners.get(key);
    if (owner !== undefined) return owner === uid;
    if (this.#free.has(key) || loaded.free.has(project_uid, short_id, uid)) return true;
    return !(await issues(connection).shortIdTaken(project_uid, short_id, uid));
  }
}

function wantedBy(names: readonly Name[]): readonly string[] {
  return [...new Set(names.map(({ wanted }) => wanted))];
}

function keyOf(projectUid: string, shortId: string): string {
  return `${projectUid} ${shortId}`;
}
